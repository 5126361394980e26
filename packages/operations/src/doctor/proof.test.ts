import { expect, test } from 'vitest'
import {
  fingerprint,
  type ProvenQuestion,
  proveAnswer,
  readQuestion,
  validForMs,
  writeQuestion,
} from './proof.ts'

const proven: ProvenQuestion = { question: 'read', key: 'abc123', nonce: '0123456789abcdef' }
const nowMs = 1_800_000_000_000

test('a question can be read with the secret, including a previous one', async () => {
  const header = await writeQuestion(proven, 'old', nowMs)
  expect(await readQuestion(header, ['new', 'old'], nowMs)).toEqual({
    proven,
    secret: 'old',
  })
})

test.each([
  ['another secret', (header: string) => header, 'other', nowMs],
  ['a changed question', (header: string) => header.replace('read', 'write'), 'secret', nowMs],
  ['a changed key', (header: string) => header.replace('abc', 'abd'), 'secret', nowMs],
  ['a changed time', (header: string) => header.replace('18', '17'), 'secret', nowMs],
  ['a truncated proof', (header: string) => header.slice(0, -1), 'secret', nowMs],
  ['a proof with an extra character', (header: string) => `${header}0`, 'secret', nowMs],
  ['an old question', (header: string) => header, 'secret', nowMs + validForMs + 1],
  ['a question from the future', (header: string) => header, 'secret', nowMs - validForMs - 1],
  ['noise', () => '....', 'secret', nowMs],
  ['nothing', () => '', 'secret', nowMs],
])('%s proves nothing', async (_what, change, secret, atMs) => {
  const header = change(await writeQuestion(proven, 'secret', nowMs))
  expect(await readQuestion(header, [secret], atMs)).toBeNull()
})

test('without secrets nothing is proven', async () => {
  expect(await readQuestion(await writeQuestion(proven, '', nowMs), [], nowMs)).toBeNull()
})

test('the proof of an answer holds for one question and one body', async () => {
  const proof = await proveAnswer('{}', 'a', 'secret')
  expect(await proveAnswer('{}', 'a', 'secret')).toBe(proof)
  for (const other of [
    await proveAnswer('{ }', 'a', 'secret'),
    await proveAnswer('{}', 'b', 'secret'),
    await proveAnswer('{}', 'a', 'other'),
  ]) {
    expect(other).not.toBe(proof)
  }
})

test('a fingerprint distinguishes secrets without containing them', async () => {
  expect(await fingerprint('secret')).toMatch(/^[0-9a-f]{12}$/)
  expect(await fingerprint('secret')).not.toBe(await fingerprint('Secret'))
})
