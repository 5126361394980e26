export type { GivenLifetime, LifetimeName } from './cache/lifetime.ts'
export type { JournalEntry } from './journal/entry.ts'
export type {
  ErrorContext,
  ErrorRequest,
  Instrumentation,
  OnRequestError,
} from './journal/instrumentation.ts'
export type { RedactHook } from './journal/redactEntry.ts'
export { traceHeaders } from './journal/traceparent.ts'
export {
  type ActionContext,
  type ActionOptions,
  action,
  type ValidatedAction,
} from './rsc/action/action.ts'
export { cacheLife, cacheTag } from './rsc/cache/cacheApi.ts'
export { type CachedOptions, cached } from './rsc/cache/cached.ts'
export { revalidateTag, updateTag } from './rsc/cache/revalidateApi.ts'
export type { Screens, ScreensRequest } from './rsc/errors/appScreens.ts'
export type { RouteHandlerContext } from './rsc/handlers/routeHandler.ts'
export type { PathScope } from './rsc/kept/pathTags.ts'
export { refresh, revalidatePath } from './rsc/kept/revalidatePath.ts'
export type { ProxyConfig, ProxyFunction } from './rsc/proxy/proxy.ts'
export type { ProxyMatcher } from './rsc/proxy/proxyMatcher.ts'
export {
  next,
  type ProxyResult,
  type ProxyResultOptions,
  rewrite,
} from './rsc/proxy/proxyResult.ts'
export { after } from './rsc/request/after.ts'
export type { Cookies, DeletedCookie, NewCookie, ReadonlyCookies } from './rsc/request/cookies.ts'
export type { Cookie, CookieOptions } from './rsc/request/cookieText.ts'
export { type DraftMode, draftMode } from './rsc/request/draftMode.ts'
export type { ReadonlyHeaders } from './rsc/request/headers.ts'
export { connection, cookies, gate, headers } from './rsc/request/requestApi.ts'
export type { AfterTask } from './rsc/request/scope.ts'
export { themeHtmlProps, themePreference } from './rsc/request/themeApi.ts'
export { nonce } from './rsc/security/nonce.ts'
export { taintObject, taintValue } from './rsc/security/taint.ts'
export type { NoticeTexts, ScreenTextOverrides, StatusTexts } from './screens/texts.ts'
export type { ThemeHtmlProps } from './theme/htmlProps.ts'
