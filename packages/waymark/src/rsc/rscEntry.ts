import { instrumentation, proxy, screens, server } from 'virtual:waymark/app-files'
import build from 'virtual:waymark/build'
import assets from 'virtual:waymark/client-assets'
import {
  actions,
  allowedHosts,
  cacheLife,
  navigationTimeoutMs,
  security,
  settleDeadlineMs,
  statusDeadlineMs,
  theme,
} from 'virtual:waymark/config'
import { packages, packageTexts } from 'virtual:waymark/packages'
import { devStyles, imports, tree } from 'virtual:waymark/routes'
import { chooseVariant } from 'virtual:waymark/variants'
import type { BuiltPages, FindCached } from '../builds/cachedPage.ts'
import type { ServedAssets } from '../builds/servedAssets.ts'
import { createCache } from '../cache/cache.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import { builtInLifetimes } from '../cache/cacheLife.ts'
import { createMemoryDriver } from '../cache/memoryCacheDriver.ts'
import { withStoreDeadlines } from '../cache/storeDeadlines.ts'
import type { DocumentRenderer } from '../http/documentRenderer.ts'
import type { Handle } from '../http/response.ts'
import { guardInstrumentation } from '../journal/instrumentation.ts'
import { createAttachableJournal, createJournal } from '../journal/journal.ts'
import { withJournalDeadlines } from '../journal/journalDeadlines.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import type { JournalEntry } from '../journal/journalEntry.ts'
import { createReporter, type Occurrence } from '../journal/reportError.ts'
import { createMemoryJournal } from '../journal/storedJournal.ts'
import { createMatcher } from '../routing/match.ts'
import { listPagePatterns, manifestHref } from '../routing/routeEntries.ts'
import { matchUrls } from '../routing/routeUrls.ts'
import { reservedPaths } from '../wire/reservedPaths.ts'
import { decodeSignal } from '../wire/signals.ts'
import { runtimeKeyRing } from './action/appSecrets.ts'
import { createActionList, findBuiltAction, type ListedActions } from './action/authorize.ts'
import { keyRing } from './action/boundArgs.ts'
import { createHashSender, createIsCredential } from './action/credentials.ts'
import { createIdempotency } from './action/idempotency.ts'
import { flightCodec } from './cache/flightCodec.ts'
import { createReadCached } from './cache/readCached.ts'
import { createErrorBeacon } from './errors/beacon.ts'
import { createAppScreens, createRefusalScreen } from './errors/screenResponse.ts'
import { createHandler } from './handler.ts'
import type { HandlerApp } from './handlerApp.ts'
import { withMetadataRoutes } from './metadata/metadataRoute.ts'
import { createMetadataResolver } from './metadata/resolve.ts'
import { joinPackages } from './packageParts.ts'
import { createDocumentLimit } from './page/documentLimit.ts'
import { createSignalWarnings } from './page/errorsAfterStatus.ts'
import { createAppTheme } from './page/pageTheme.ts'
import { createAppVariants } from './page/pageVariants.ts'
import { checkExports, checkSegmentOptions } from './page/routeConfig.ts'
import { createRouteModules, loadCode, type RouteModuleSources } from './page/routeModules.ts'
import { createPageCache } from './pageCache/pageCache.ts'
import { createShellCheck } from './partial/renderShell.ts'
import { createIsIntercepted, createIsListed } from './prerender/plan.ts'
import { createPrerenderer } from './prerender/prerenderer.ts'
import { createProxy } from './proxy/proxy.ts'
import { setAppCache } from './request/appCache.ts'
import { withoutClientFailures } from './request/clientFailures.ts'
import { createForeignLog } from './request/crossOrigin.ts'
import { createDrafts } from './request/draftMode.ts'
import { createRouteOf } from './request/readRequest.ts'
import { runsForFile, runsForPage } from './request/requestDependence.ts'
import { findScope } from './request/scope.ts'
import { createUserSeals } from './request/userSeals.ts'
import { createAppSecurity } from './security/csp.ts'
import { joinArounds, readServerOptions } from './serverOptions.ts'

const { buildId, stylesheets, scripts, clientFiles } = build
const { closedRoutes, staticRoutes, partialRoutes } = build
const routes = createMatcher(tree)

/** Returns the route pattern of a request, for the server's log and metrics. */
export const routeOf = createRouteOf({ match: (pathname) => matcher.match(pathname) })

const appServer = readServerOptions(server)
const complain = (message: string, ...thrown: unknown[]) => console.error(message, ...thrown)
const journalDriver = createAttachableJournal(createMemoryJournal())
const journal = createJournal({ driver: journalDriver })
// Copy the exports, because a bundler warns about an imported name that the module doesn't export.
const { redact, onRequestError } = { ...instrumentation }
const guarded = guardInstrumentation(instrumentation, complain)
type Log = (text: string, entry: JournalEntry) => void
let devLog: Log | null = null
const recording = {
  journal,
  log: (text: string, entry: JournalEntry) => (devLog ? devLog(text, entry) : console.error(text)),
  redact,
  onRequestError: onRequestError && guarded.onRequestError,
  buildId,
  // Read `joined` and `observer` as late as possible: they are created after the cache, which
  // already reports errors through this object.
  keepRequest: (at: Occurrence) => joined.describeRequest?.(at),
  onDigest: (thrown: unknown, digest: string) => observer?.failed?.(thrown, digest),
  routeOf,
}
const report = withoutClientFailures(
  createReporter(recording),
  import.meta.env.DEV ? (message) => console.warn(message) : undefined,
)
const moduleSources: RouteModuleSources = {
  check(file) {
    checkExports(file)
    checkSegmentOptions(file)
  },
  imports: withMetadataRoutes(imports),
  wrap: (element, file) => joined.wrapFile?.(element, file) ?? element,
  stylesheets,
  scripts,
  clientFiles,
  actionFiles: new Set(Object.values(build.actions).flat()),
  integrity: assets.integrity,
  devStyles,
}
const modules = createRouteModules(moduleSources)
const variants =
  chooseVariant && build.variants
    ? createAppVariants({
        choose: chooseVariant,
        buildId,
        variants: build.variants,
        modules: moduleSources,
      })
    : null

const memory = createMemoryDriver()
const cache = createCache({
  memory,
  report: (thrown) => report(thrown, { phase: 'cache' }),
  // Other requests may be waiting for this result, so keep the process alive even if the client
  // leaves.
  onStart(work) {
    const scope = findScope()
    if (scope && scope.phase !== 'cache') scope.context.after.waitUntil?.(work)
  },
})
setAppCache(cache)

const themeCookies = theme.cookie ? [theme.storageKey] : []
const isCredential = createIsCredential([...actions.ignoredCookies, ...themeCookies])

const joined = joinPackages(packages, {
  buildId,
  patterns: listPagePatterns(tree),
  patternOf: (routePathname) => routes.match(routePathname)?.pattern ?? null,
  actions: build.actions,
  navigationTimeoutMs,
  cache,
  memory,
  journal: { write: journalDriver.write, onClose: journal.onClose },
  sealer: keyRing,
  hashSender: createHashSender(isCredential),
  report: (thrown) => report(thrown, { phase: 'process' }),
  servedAssets: () => readAssets(),
})

const routeUrls = joined.routeUrls ?? null
const observer = joined.observer ?? null
const matcher = routeUrls === null ? routes : matchUrls(routes, routeUrls)

const appArounds = appServer.around === null ? [] : [appServer.around]

const requestCode = {
  proxy: proxy && createProxy(proxy),
  around: joinArounds([...appArounds, ...joined.arounds]),
}

const pageCache = createPageCache({
  cache,
  buildId,
  staticRoutes,
  partialRoutes,
  report,
  isGuarded: (pathname) => runsForPage(requestCode, pathname),
  render: (pathname) => prerenderer.render(pathname),
})

const shellCheck = createShellCheck({ app: () => app, log: (line) => console.warn(line) })

let ssr: DocumentRenderer | null = null

/** Renders with the code of the `ssr` environment, which is loaded with the first document. */
function withSsr<T>(render: (ssr: DocumentRenderer) => Promise<T>): Promise<T> {
  return ssr ? render(ssr) : loadSsr().then(render)
}

async function loadSsr(): Promise<DocumentRenderer> {
  const loading = import.meta.viteRsc.loadModule<DocumentRenderer>('ssr', 'index')
  const loaded = await loadCode(loading, 'The code that renders documents')
  // In development, the module may be replaced, so don't keep it.
  if (!import.meta.env.DEV) ssr = loaded
  return loaded
}

const appTheme = createAppTheme(theme)
const builtAction = findBuiltAction(build.actions)
let devActions: ListedActions | null = null
let hasBuiltNotFound = false
let hasFile: BuiltPages['hasFile'] = () => false
let readAssets: () => ServedAssets | null = () => null

const idempotency = createIdempotency({ isCredential })

const app: HandlerApp = {
  actions: createActionList({
    isEmpty: () => devActions?.isEmpty() ?? Object.keys(build.actions).length === 0,
    find: (id) => (devActions?.find ?? builtAction)(id),
    ids: () => devActions?.ids() ?? Object.keys(build.actions),
  }),
  actionSettings: actions,
  idempotency,
  logForeign: createForeignLog((line) => console.warn(line)),
  matcher,
  routeUrls,
  modules,
  isListed: createIsListed({ closed: closedRoutes, tree, modules, routeUrls }),
  pageCache: import.meta.env.DEV ? shellCheck : pageCache,
  hasBuiltNotFound: () => hasBuiltNotFound,
  hasFile: (pathname) => hasFile(pathname),
  isIntercepted: createIsIntercepted(tree, routeUrls),
  drafts: createDrafts(runtimeKeyRing),
  ...requestCode,
  isCredential,
  users:
    appServer.readUser && createUserSeals({ readUser: appServer.readUser, sealer: runtimeKeyRing }),
  documentLimit:
    appServer.maxDocuments === null ? null : createDocumentLimit(appServer.maxDocuments),
  resolveMetadata: createMetadataResolver(manifestHref(tree)),
  report,
  cache,
  readCached: createReadCached({
    cache,
    observer,
    buildId,
    lifetimes: { ...builtInLifetimes, ...cacheLife },
    codec: flightCodec,
    onHardReload: import.meta.env.DEV ? (line) => console.info(line) : undefined,
    onFailure: import.meta.env.DEV ? (line) => console.warn(line) : undefined,
  }),
  endpoints: [
    { path: reservedPaths.errors, handle: createErrorBeacon(recording) },
    ...joined.endpoints,
  ],
  followPage: joined.followPage,
  observer,
  warnOfSignal: createSignalWarnings((line) => console.warn(line)),
  renderDocument: (...args) => withSsr((ssr) => ssr.renderDocument(...args)),
  renderShell: (...args) => withSsr((ssr) => ssr.renderShell(...args)),
  resumeDocument: (...args) => withSsr((ssr) => ssr.resumeDocument(...args)),
  statusDeadlineMs,
  settleDeadlineMs,
  theme: appTheme,
  security: createAppSecurity(security, appTheme.script, import.meta.env.DEV),
  buildId,
  variant: null,
  variants,
  screens: createAppScreens(screens, packageTexts, complain, routeUrls?.languageOf),
}

/** Hooks of the app's packages, which the server calls. */
export const { onDocument, metrics } = joined

/** Paths of the packages' endpoints, for tests. */
export const endpointPaths: readonly string[] = joined.endpoints.map(({ path }) => path)

export const defaultHeaders = security.headers
export { basePath, trailingSlash } from '../shared/basePath.ts'
export { appSecrets } from './action/appSecrets.ts'
export { allowedHosts }

/** Sets the journal's storage. Before this call, entries are in memory. */
export function attachJournal(driver: JournalDriver): void {
  journalDriver.attach(withJournalDeadlines(driver, (line) => console.warn(line)))
}

export const closeJournal = (): Promise<void> => joined.close().then(journal.close)

/** Runs `register()` from the app's instrumentation.ts. Never rejects. */
export const { register } = guarded

export const reportOutside = (thrown: unknown): string => report(thrown, { phase: 'process' })

/** Adds a second cache driver, next to memory. */
export function attachCache(driver: CacheDriver): void {
  const bounded = withStoreDeadlines(driver, (line) => console.warn(line))
  cache.attach(bounded)
  idempotency.attach(bounded)
  joined.attachCache(bounded)
}

/** Functions with which the server opens the app's own drivers, or `null`. */
export const { openCache, openJournal } = appServer

/** Limits for an overloaded server, from the app's server.ts. */
export const { loadShedding } = appServer

export const closeCache = (): Promise<void> => joined.close().then(cache.close)

/**
 * Finds a cached page that the server may send without the handler. Finds nothing while a package
 * observes requests, or after the process was paused: then the handler first lets the cache read
 * the invalidations that it missed.
 */
export const findCached: FindCached = (target) =>
  isObserved() || cache.isBehind() ? null : pageCache.find(target)

const isObserved = () => observer !== null && observer.isActive?.() !== false

export function attachBuilt(pages: BuiltPages): void {
  pageCache.attachBuilt(pages.findBuilt)
  hasBuiltNotFound = pages.hasNotFound
  hasFile = pages.hasFile
}

/** True if proxy.ts runs before the server sends this file of `public/`. */
export const isProxiedFile = (pathname: string): boolean => runsForFile(requestCode, pathname)

/** Sets the function with which packages read the list of served assets. */
export function attachAssets(read: () => ServedAssets): void {
  readAssets = read
}

const handleNow = createHandler(app)

export const handle: Handle = (request) =>
  cache.isBehind() ? cache.catchUp().then(() => handleNow(request)) : handleNow(request)

/** Renders the body for a request that the server refuses before it reaches the handler. */
export const screen = createRefusalScreen(app)

/**
 * Sets the list of actions. The dev server passes the actions in modules that it has transformed.
 */
export function attachActions(listed: ListedActions): void {
  devActions = listed
}

/** Used by the dev server, which records events. */
export { attachTracer } from '../wire/trace.ts'
export { attachStackMap } from './page/flight.ts'

/** Sets the log. The dev server passes a log that prints errors with their positions in source files. */
export function attachLog(log: Log): void {
  devLog = log
}

/** Lets the dev server's tools list the cache entries in memory and invalidate tags. */
export const inspectedCache = { list: memory.list, invalidate: cache.invalidate }

export const prerenderer = createPrerenderer(app, tree)

/** Creates a handler that also reports its failures to the dev server. */
export function observedHandler(onFailure: (thrown: unknown, digest: string) => void): Handle {
  return createHandler({
    ...app,
    report(thrown, at) {
      const digest = app.report(thrown, at)
      if (!decodeSignal(digest)) onFailure(thrown, digest)
      return digest
    },
  })
}
