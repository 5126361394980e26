export type { JournalEntry } from './journal/entry.ts'
export type {
  ErrorContext,
  ErrorRequest,
  Instrumentation,
  OnRequestError,
} from './journal/instrumentation.ts'
export type { RedactHook } from './journal/redactEntry.ts'
export { traceHeaders } from './journal/traceparent.ts'
export { after } from './rsc/after.ts'
export type { Cookies, DeletedCookie, NewCookie, ReadonlyCookies } from './rsc/cookies.ts'
export type { Cookie, CookieOptions } from './rsc/cookieText.ts'
export type { ReadonlyHeaders } from './rsc/headers.ts'
export type { ProxyConfig, ProxyFunction } from './rsc/proxy.ts'
export type { ProxyMatcher } from './rsc/proxyMatcher.ts'
export { next, type ProxyResult, type ProxyResultOptions, rewrite } from './rsc/proxyResult.ts'
export { connection, cookies, gate, headers } from './rsc/requestApi.ts'
export type { RouteHandlerContext } from './rsc/routeHandler.ts'
export type { AfterTask } from './rsc/scope.ts'
export { themeHtmlProps, themePreference } from './rsc/themeApi.ts'
export type { ThemeHtmlProps } from './theme/htmlProps.ts'
