export type { CacheEntry, InvalidationMode } from './cache/cacheDriver.ts'
export type { JournalDriver } from './journal/journalDriver.ts'
export { readDigest } from './journal/query.ts'
export type { MapStack } from './journal/sourceMaps.ts'
export { frameLines } from './journal/stackFrames.ts'
export type { LoadPackage } from './node/appPackages.ts'
export { writeResponse } from './node/writeResponse.ts'
export { parseTarget } from './routing/canonicalUrl.ts'
export { createMatcher } from './routing/match.ts'
export type { MatchedSegment } from './routing/matchedSegments.ts'
export { listRoutes } from './routing/routeEntries.ts'
export type { RouteTree } from './routing/routeFile.ts'
export { timedOut, withDeadline } from './shared/promises.ts'
export {
  actionHeader,
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
export { plainText, refusedToOthers, uncached, uncachedJson } from './vite/dev/devResponse.ts'
export { isFromThisMachine, isLoopback } from './vite/dev/devSecurity.ts'
export type {
  Devtools,
  InspectedServer,
  ReceivedRequest,
  ViteDocks,
} from './vite/dev/devTools.ts'
