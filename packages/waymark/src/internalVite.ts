export type { InvalidationMode } from './cache/cacheDriver.ts'
export { readLiteral } from './font/fontPlugin.ts'
export { detailJson } from './journal/detail.ts'
export type { JournalDriver } from './journal/journalDriver.ts'
export { readDigest } from './journal/query.ts'
export type { MapStack } from './journal/sourceMaps.ts'
export { frameLines } from './journal/stackFrames.ts'
export { waymarkVersion } from './node/version.ts'
export { writeResponse } from './node/writeResponse.ts'
export { parseTarget } from './routing/canonicalUrl.ts'
export { createMatcher } from './routing/match.ts'
export type { MatchedSegment } from './routing/matchedSegments.ts'
export { listRoutes } from './routing/routeEntries.ts'
export type { RouteTree } from './routing/routeFile.ts'
export { timedOut, withDeadline } from './shared/promises.ts'
export {
  actionHeader,
  assetsPrefix,
  digestHeader,
  internalPrefix,
  pagePathnameOf,
  prefetchHeader,
} from './shared/protocol.ts'
export type { HandlerResponse } from './shared/response.ts'
export {
  loadHeader,
  parseLoad,
  type TracedEvent,
  type TracedStep,
  withoutValues,
} from './shared/trace.ts'
export {
  isFromThisMachine,
  isLoopback,
  isSameOrigin,
  refusedToOthers,
} from './vite/dev/devSecurity.ts'
export type {
  Devtools,
  DevtoolsPackage,
  InspectedServer,
  ReceivedRequest,
} from './vite/dev/devTools.ts'
export { devPage, plainText, uncached } from './vite/dev/errorPage.ts'
export { scanRoutes } from './vite/routes/scanRoutes.ts'
