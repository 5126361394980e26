import { expect, test } from 'vitest'
import { createKeyRing } from '../action/encryption.ts'
import { createUserSeals, type ReadUser, sealedForMs } from './userSeals.ts'

const older = 'an older secret of at least 32 characters'
const newer = 'a newer secret of at least 32 characters'
const ring = createKeyRing([newer, older])

function sealsOf(readUser: ReadUser, { sealer = ring, nowMs = 0 } = {}) {
  return createUserSeals({ readUser, sealer: () => sealer, now: () => nowMs })
}

const sealOf = async (id: string | null, sealer = ring) =>
  (await sealsOf(() => id, { sealer }).seal()).sealed

test.each([
  { page: 'ada', sender: 'ada', isQueued: false, refusal: null },
  { page: 'ada', sender: 'ada', isQueued: true, refusal: null },
  { page: 'ada', sender: 'bob', isQueued: false, refusal: 'other-user' },
  { page: 'ada', sender: 'bob', isQueued: true, refusal: 'other-user' },
  { page: 'ada', sender: null, isQueued: false, refusal: null },
  { page: 'ada', sender: null, isQueued: true, refusal: 'other-user' },
  { page: null, sender: 'bob', isQueued: false, refusal: null },
  { page: null, sender: 'bob', isQueued: true, refusal: 'other-user' },
  { page: null, sender: null, isQueued: true, refusal: null },
])('an action on a page of $page, sent by $sender, queued: $isQueued', async (each) => {
  const seals = sealsOf(() => each.sender)
  expect(await seals.refusalOf(await sealOf(each.page), each.isQueued)).toBe(each.refusal)
})

test('a queued call of a page without a user is refused for anybody who is signed in', async () => {
  expect(await sealsOf(() => 'bob').refusalOf(null, true)).toBe('other-user')
  expect(await sealsOf(() => null).refusalOf(null, true)).toBe(null)
  expect(await sealsOf(() => 'bob').refusalOf(null, false)).toBe(null)
})

test('a seal of the previous secret is valid; a forged, foreign or old one is stale', async () => {
  const seals = sealsOf(() => 'ada')
  expect(await seals.refusalOf(await sealOf('ada', createKeyRing([older])), true)).toBe(null)
  const foreign = createKeyRing(['the secret of another app, 32 characters'])
  for (const sealed of ['', 'ada', 'A'.repeat(60), await sealOf('ada', foreign)]) {
    expect(await seals.refusalOf(sealed, false)).toBe('stale')
  }
  const later = sealsOf(() => 'ada', { nowMs: sealedForMs + 1 })
  expect(await later.refusalOf(await sealOf('ada'), true)).toBe('stale')
})

test('a seal for another purpose names no user', async () => {
  const closure = ring.seal(Buffer.from('["ada",0]'), 'an action')
  expect(await sealsOf(() => 'ada').refusalOf(closure, false)).toBe('stale')
})

test('numbers are valid ids, and other values are an error', async () => {
  expect(await sealsOf(() => 7).refusalOf(await sealOf('7'), true)).toBe(null)
  await expect(sealsOf((() => ({ id: 1 })) as unknown as ReadUser).seal()).rejects.toThrow('object')
})
