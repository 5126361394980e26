import { expect, test } from 'vitest'
import { draftCookie } from '../../shared/cachedPage.ts'
import type { ServerRequest } from '../../shared/response.ts'
import { createKeyRing } from '../action/encryption.ts'
import { createDrafts, draftSeconds } from './draftMode.ts'

const ring = createKeyRing(['a secret of at least thirty-two characters'])

function setUp() {
  let nowMs = 1_000_000
  const drafts = createDrafts(
    () => ring,
    () => nowMs,
  )
  const isOn = (cookie: string | null) => {
    const headers = { get: () => cookie, has: () => cookie !== null, entries: () => [] }
    return drafts.isOn({ headers } as unknown as ServerRequest)
  }
  return { drafts, isOn, pass: (seconds: number) => (nowMs += seconds * 1000) }
}

test('a pass that was given out opens drafts, for a day', () => {
  const { drafts, isOn, pass } = setUp()
  const cookie = `a=1; ${draftCookie}=${drafts.pass()}`
  expect(isOn(cookie)).toBe(true)
  pass(draftSeconds - 1)
  expect(isOn(cookie)).toBe(true)
  pass(1)
  expect(isOn(cookie)).toBe(false)
})

test.each([
  ['no cookie', null],
  ['an empty one', `${draftCookie}=`],
  ['a made up one', `${draftCookie}=1`],
  ['a time in the clear', `${draftCookie}=9999999999999`],
  ['one sealed for something else', `${draftCookie}=${ring.seal(Buffer.from('9e15'), 'action')}`],
  [
    'one of another secret',
    `${draftCookie}=${createKeyRing(['x'.repeat(32)]).seal(Buffer.from('9e15'), 'draft mode')}`,
  ],
])('%s opens nothing', (_what, cookie) => {
  expect(setUp().isOn(cookie)).toBe(false)
})
