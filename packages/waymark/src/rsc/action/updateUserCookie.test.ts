import { expect, test } from 'vitest'
import type { HeaderLines } from '../../http/response.ts'
import { toServerRequest } from '../../http/web.ts'
import { userCookieName, userCookieValue } from '../../wire/userCookie.ts'
import { cookies, headers } from '../request/api.ts'
import { createScope, runInScope } from '../request/scope.ts'
import { createUserSeals, type ReadUser } from '../request/userSeals.ts'
import { createIsCredential } from './credentials.ts'
import { createKeyRing } from './encryption.ts'
import { updateUserCookie } from './updateUserCookie.ts'

const ring = createKeyRing(['a secret of at least 32 characters, of a test'])
const cookieName = userCookieName('')
const other = userCookieName('/docs')
const ada = await userCookieValue('ada')
const nobody = await userCookieValue(null)

const byCookies: ReadUser = async () => (await cookies()).get('session')?.value ?? null
const byHeaders: ReadUser = async () =>
  /\bsession=(\w+)/.exec((await headers()).get('cookie') ?? '')?.[1] ?? null

type Sent = {
  readonly readUser?: ReadUser | null
  readonly cookie?: string
  readonly method?: string
  readonly setCookies?: readonly string[]
  readonly isWrittenByApp?: boolean
  readonly origin?: string
}

/** Returns the cookies that a response sets, as `name=value`, and the reported errors. */
async function update(sent: Sent) {
  const { readUser = byCookies, method = 'POST', isWrittenByApp = true, setCookies = [] } = sent
  const { origin = 'https://site.test', cookie = `session=ada; ${cookieName}=${ada}` } = sent
  const init = { method, headers: { cookie } }
  const request = toServerRequest(new Request(`${origin}/sign-out`, init))
  const users = readUser && createUserSeals({ readUser, sealer: () => ring })
  const url = { pathname: '/sign-out', search: '' }
  const phase = 'route-handler' as const
  const scope = createScope({ request, url, phase, users, onAfterError: () => '' })
  const reported: unknown[] = []
  const headers: HeaderLines = setCookies.map((line) => ['set-cookie', line])
  const lines = await runInScope(scope, () =>
    updateUserCookie(cookie, {
      scope,
      request,
      headers,
      isWrittenByApp,
      isCredential: createIsCredential([]),
      report: (thrown) => reported.push(thrown),
    }),
  )
  const written = lines.map(([, line]) => line)
  return { written, pairs: written.map((line) => line.split(';', 1)[0]), reported }
}

const signsOut = ['session=; Max-Age=0; Path=/']

test.each([
  ['cookies()', byCookies],
  ['headers()', byHeaders],
])('a response that deletes the session leaves no known user, by %s', async (_, readUser) => {
  expect((await update({ readUser, setCookies: signsOut })).pairs).toEqual([
    `${cookieName}=${nobody}`,
  ])
})

test('a response that signs in names the new user', async () => {
  const setCookies = ['session=bob; Path=/; HttpOnly']
  const { pairs } = await update({ setCookies })
  expect(pairs).toEqual([`${cookieName}=${await userCookieValue('bob')}`])
})

test('a session that ended on the server is noticed, also after a link', async () => {
  const readUser = () => null
  expect((await update({ readUser, method: 'GET' })).pairs).toEqual([`${cookieName}=${nobody}`])
  const onPage = { readUser, isWrittenByApp: false }
  expect((await update({ ...onPage, method: 'POST' })).pairs).toEqual([`${cookieName}=${nobody}`])
  expect((await update({ ...onPage, method: 'GET' })).pairs).toEqual([])
})

test('a session that is renewed for the same user changes nothing', async () => {
  const readUser = async () => ((await cookies()).has('session') ? 'ada' : null)
  expect((await update({ readUser, setCookies: ['session=renewed; Path=/'] })).written).toEqual([])
})

test('without user() in server.ts, a changed session cookie counts as another user', async () => {
  const sent = { readUser: null }
  const { pairs } = await update({ ...sent, setCookies: signsOut })
  expect(pairs).toHaveLength(1)
  expect(pairs[0]).toMatch(new RegExp(`^${cookieName}=[\\w-]{36}$`))
  expect((await update({ ...sent, setCookies: ['session=ada; Max-Age=60'] })).pairs).toEqual([])
  expect((await update({ ...sent, setCookies: ['theme=dark', '_ga=1'] })).pairs).toHaveLength(1)
  expect((await update({ ...sent, setCookies: ['_ga=1'] })).pairs).toEqual([])
})

test('a change of user removes the user cookies of other apps on the origin', async () => {
  const cookie = `session=ada; ${other}=${ada}; ${cookieName}=${ada}`
  const changed = await update({ cookie, setCookies: signsOut })
  expect(changed.pairs).toEqual([`${cookieName}=${nobody}`, `${other}=`])
  expect((await update({ cookie })).pairs).toEqual([])
  // This browser only has the user cookie of the other app.
  const foreign = `session=ada; ${other}=${ada}`
  expect((await update({ cookie: foreign, setCookies: signsOut })).pairs).toEqual([`${other}=`])
  expect((await update({ cookie: foreign })).pairs).toEqual([])
})

test('an error of user() is reported, and with another session the user is unknown', async () => {
  const readUser = () => Promise.reject(new Error('no store'))
  const same = await update({ readUser })
  expect(same.pairs).toEqual([])
  expect(same.reported).toEqual([new Error('no store')])
  const { pairs } = await update({ readUser, setCookies: signsOut })
  expect(pairs[0]).toMatch(new RegExp(`^${cookieName}=[\\w-]{36}$`))
})

test('the cookie is readable by scripts, valid for all paths, and secure over HTTPS', async () => {
  const { written } = await update({ setCookies: signsOut })
  expect(written).toEqual([
    `${cookieName}=${nobody}; Path=/; Max-Age=34560000; SameSite=Lax; Secure`,
  ])
  const plain = await update({ setCookies: signsOut, origin: 'http://site.test' })
  expect(plain.written[0]).not.toContain('Secure')
})

test('at most twenty user cookies of a client are expired', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `${cookieName}%2F${at}=x`)
  const cookie = ['session=ada', `${cookieName}=${ada}`, ...names].join('; ')
  expect((await update({ cookie, setCookies: signsOut })).pairs).toHaveLength(21)
})
