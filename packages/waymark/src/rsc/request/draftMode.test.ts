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

test('a pass enables drafts for a day', () => {
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
  ['an empty cookie', `${draftCookie}=`],
  ['an invented value', `${draftCookie}=1`],
  ['a time that is not encrypted', `${draftCookie}=9999999999999`],
  ['a value for another purpose', `${draftCookie}=${ring.seal(Buffer.from('9e15'), 'action')}`],
  [
    'a value with another secret',
    `${draftCookie}=${createKeyRing(['x'.repeat(32)]).seal(Buffer.from('9e15'), 'draft mode')}`,
  ],
])('%s does not enable drafts', (_what, cookie) => {
  expect(setUp().isOn(cookie)).toBe(false)
})

/** Creates the scope of an action, with or without HTTPS, for a visitor who isn't in draft mode. */
function actionScope(origin: string) {
  const { drafts } = setUp()
  const readCached = () => Promise.resolve()
  const request = toServerRequest(new Request(`${origin}/`))
  const url = { pathname: '/', search: '' }
  const phase = 'action' as const
  return createScope({ request, url, phase, onAfterError: () => '', drafts, readCached })
}

test('enabling drafts takes effect at once, even for cached results', async () => {
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
])('the pass of %s is sent from frames if that is safe', async (origin, sameSite, secure) => {
  const scope = actionScope(origin)
  await runInScope(scope, async () => (await draftMode()).enable())
  const [line] = scope.cookies.lines()
  expect(line).toMatch(sameSite)
  expect(line).toMatch(secure)
})
