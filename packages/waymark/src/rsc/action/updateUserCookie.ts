import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import { basePath } from '../../shared/basePath.ts'
import {
  formatUserCookie,
  isUserCookie,
  randomUserCookieValue,
  userCookieName,
  userCookieValue,
} from '../../wire/userCookie.ts'
import { parseCookies } from '../request/cookies.ts'
import { isRead } from '../request/readRequest.ts'
import { type RequestScope, runWithRequest } from '../request/scope.ts'
import { cookieHeaderAfter, type IsCredential } from './credentials.ts'

type SentResponse = {
  readonly scope: RequestScope
  readonly request: ServerRequest
  /** Headers of the response, with the cookies that it sets. */
  readonly headers: HandlerResponse['headers']
  /** True if a route handler, proxy.ts or `around()` created the response. */
  readonly isWrittenByApp: boolean
  readonly isCredential: IsCredential
  readonly report: (thrown: unknown) => void
}

/**
 * Maximum number of user cookies to check. An origin only has a few apps, but a client can send any
 * number of cookies.
 */
const maxApps = 20

/**
 * Updates the browser's user cookie. A sign-out through `fetch()` or a link changes the user without rendering a page
 * for the new user.
 *
 * `user` in server.ts is called again after each response that may have changed the user: after route handlers,
 * proxy.ts and actions, and if a session cookie is set. A GET request for a page doesn't change the user.
 * @param cookieHeader `cookie` header of a request with a user cookie. Browsers without one store
 * nothing private, so they need no update
 * @returns lines to add to the response
 */
export async function updateUserCookie(
  cookieHeader: string,
  sent: SentResponse,
): Promise<HeaderLines> {
  const { request, headers, isWrittenByApp, isCredential } = sent
  const setCookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
  const lines = setCookies.map(([, line]) => line)
  const setsCredential = lines.some((line) => isCredential(line.split('=', 1)[0]?.trim() ?? ''))
  if (!setsCredential && !isWrittenByApp && isRead(request)) return []
  const cookieName = userCookieName(basePath)
  const cookies = parseCookies(cookieHeader).filter(({ name }) => isUserCookie(name))
  const current = cookies.find(({ name }) => name === cookieName)?.value
  const cookiesOfSession = { cookieHeader, lines, setsCredential }
  const value = current && (await currentValue(current, sent, cookiesOfSession))
  const isSecure = request.origin.startsWith('https:')
  const names = new Set(cookies.map(({ name }) => name))
  names.delete(cookieName)
  // If the session changes, delete other apps' user cookies. An app on the same origin may share
  // the session cookie, but only that app can tell who its user is.
  const isOthers = current ? value !== current : setsCredential
  const expired = isOthers ? [...names].slice(0, maxApps) : []
  const written = expired.map((name) => formatUserCookie(name, null, isSecure))
  if (value && value !== current) written.unshift(formatUserCookie(cookieName, value, isSecure))
  return written.map((line) => ['set-cookie', line])
}

type SessionCookies = {
  readonly cookieHeader: string
  /** Values of `set-cookie`. */
  readonly lines: readonly string[]
  readonly setsCredential: boolean
}

/** Returns the user cookie's value after the response: `current`, unless the user has changed. */
async function currentValue(
  current: string,
  { scope, request, isCredential, report }: SentResponse,
  { cookieHeader, lines, setsCredential }: SessionCookies,
): Promise<string> {
  const { users, sentHeaders } = scope.context
  const url = new URL(request.origin + request.target)
  const at = { pathname: url.pathname, nowMs: Date.now() }
  if (users === null) {
    const before = cookieHeaderAfter(cookieHeader, [], { ...at, isCredential })
    const isSame = before === cookieHeaderAfter(cookieHeader, lines, { ...at, isCredential })
    return isSame ? current : randomUserCookieValue()
  }
  try {
    const headers = new Headers([...sentHeaders.entries()])
    const isAny = () => true
    headers.set('cookie', cookieHeaderAfter(cookieHeader, lines, { ...at, isCredential: isAny }))
    const id = await runWithRequest(new Request(url, { headers }), users.currentId)
    return await userCookieValue(id)
  } catch (thrown) {
    report(thrown)
    return setsCredential ? randomUserCookieValue() : current
  }
}
