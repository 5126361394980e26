export type { LoadShedding } from './builds/builtServer.ts'
export type { LifetimeName, LifetimeOptions } from './cache/cacheLife.ts'
export type { StatusTexts } from './http/statuses.ts'
export {
  type ErrorContext,
  type ErrorRequest,
  type Instrumentation,
  type OnRequestError,
  type RedactHook,
  traceHeaders,
} from './journal/instrumentation.ts'
export type { JournalEntry } from './journal/journalEntry.ts'
export {
  type ActionContext,
  type ActionOptions,
  action,
  type ValidatedAction,
} from './rsc/action/action.ts'
export type { FileProblem, FileRule, FileRules } from './rsc/action/fileRules.ts'
export type { FileType } from './rsc/action/fileTypes.ts'
export { type CachedOptions, cached, cacheLife, cacheTag } from './rsc/cache/cached.ts'
export type { Screens, ScreensRequest } from './rsc/errors/screenResponse.ts'
export type { ChooseVariant, VariantPage } from './rsc/page/pageVariants.ts'
export {
  refresh,
  revalidatePath,
  revalidateTag,
  updateTag,
} from './rsc/pageCache/revalidate.ts'
export {
  next,
  type ProxyConfig,
  type ProxyContext,
  type ProxyFunction,
  type ProxyResult,
  type ProxyResultOptions,
  rewrite,
} from './rsc/proxy/proxy.ts'
export type { ProxyMatcher } from './rsc/proxy/proxyMatcher.ts'
export { after } from './rsc/request/after.ts'
export {
  connection,
  cookies,
  type DraftMode,
  draftMode,
  gate,
  headers,
  idempotencyKey,
  type PublicEnvName,
  publicEnv,
  type ReadonlyHeaders,
  rootParams,
  themeHtmlProps,
  themePreference,
  themeSelectProps,
  themeToggleProps,
} from './rsc/request/api.ts'
export type {
  Cookie,
  CookieOptions,
  Cookies,
  DeletedCookie,
  NewCookie,
  ReadonlyCookies,
} from './rsc/request/cookies.ts'
export type { PathScope } from './rsc/request/pathTags.ts'
export type { RouteHandlerContext } from './rsc/request/routeHandler.ts'
export type { AfterTask } from './rsc/request/scope.ts'
export type { ReadUser, UserId } from './rsc/request/userSeals.ts'
export { nonce } from './rsc/security/csp.ts'
export { taintObject, taintValue } from './rsc/security/taint.ts'
export type { AroundRequest, ObservingAround, ServerOptions } from './rsc/serverOptions.ts'
export type {
  ActionTexts,
  CompleteTexts,
  FileTexts,
  NoticeTexts,
  ScreenTextOverrides,
  ThemeTexts,
} from './screens/screenTexts.ts'
export type { ThemeHtmlProps } from './theme/themeScript.ts'
