import { expect, test } from 'vitest'
import { draftCookie } from '../../builds/cachedPage.ts'
import type { ServerRequest } from '../../http/response.ts'
import { toServerRequest } from '../../http/web.ts'
import { createKeyRing } from '../action/encryption.ts'
import { draftMode } from './api.ts'
import { createDrafts, draftSeconds } from './draftMode.ts'
import { createScope, runInScope } from './scope.ts'

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

/** An action of a visitor, over HTTPS or not, who has no drafts yet. */
function actionScope(origin: string) {
  const { drafts } = setUp()
  const readCached = () => Promise.resolve()
  const request = toServerRequest(new Request(`${origin}/`))
  const url = { pathname: '/', search: '' }
  const phase = 'action' as const
  return createScope({ request, url, phase, onAfterError: () => '', drafts, readCached })
}

test('a switch counts at once, for what is cached, too', async () => {
  const scope = actionScope('http://site.test')
  await runInScope(scope, async () => {
    const draft = await draftMode()
    expect([draft.isEnabled, scope.context.readCached === null]).toEqual([false, false])
    draft.enable()
    expect([draft.isEnabled, (await draftMode()).isEnabled]).toEqual([true, true])
    expect(scope.context.readCached).toBe(null)
    draft.disable()
    expect(draft.isEnabled).toBe(false)
  })
})

test.each([
  ['http://site.test', /; SameSite=Lax/, /^(?!.*Secure)/],
  ['https://site.test', /; SameSite=None/, /; Secure/],
])('the pass of %s is sent from frames where that is safe', async (origin, sameSite, secure) => {
  const scope = actionScope(origin)
  await runInScope(scope, async () => (await draftMode()).enable())
  const [line] = scope.cookies.lines()
  expect(line).toMatch(sameSite)
  expect(line).toMatch(secure)
})
