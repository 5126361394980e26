export { detailJson, detailLines } from './journal/detail.ts'
export { readDigest } from './journal/query.ts'
export { frameLines } from './journal/thrownText.ts'
export { findPackage, waymarkVersion } from './node/appPackages.ts'
export { writeResponse } from './node/writeResponse.ts'
export { parseTarget } from './routing/canonicalUrl.ts'
export { createMatcher } from './routing/match.ts'
export type { MatchedSegment } from './routing/matchedSegments.ts'
export { collectRouteEntries, listRoutes } from './routing/routeEntries.ts'
export { patternOf } from './routing/segment.ts'
export { escapeHtml } from './shared/html.ts'
export { timedOut, withDeadline } from './shared/promises.ts'
export {
  actionHeader,
  assetsPrefix,
  digestHeader,
  internalPrefix,
  pagePathnameOf,
  prefetchHeader,
} from './shared/protocol.ts'
export { sourceOfRequest } from './shared/requestSource.ts'
export type { HandlerResponse } from './shared/response.ts'
export { loadHeader, parseLoad, type TracedEvent, withoutValues } from './shared/trace.ts'
export { isSecretName } from './vite/build/leaks.ts'
export { editorPath, isFromThisMachine, isSameOrigin } from './vite/dev/devSecurity.ts'
export type {
  Devtools,
  DevtoolsPackage,
  InspectedServer,
  ReceivedRequest,
} from './vite/dev/devTools.ts'
export { devPage, plainText, refusedToOthers, uncached } from './vite/dev/errorPage.ts'
export {
  type ExplanationRule,
  findText,
  readSource,
  relativeFile,
  type SourcePlace,
} from './vite/dev/explainError.ts'
export { journalPath } from './vite/dev/overlayParts.ts'
export { isClientText } from './vite/inside/findPackages.ts'
export { laterServerImports } from './vite/plugins/serverEntries.ts'
export { scanRoutes } from './vite/routes/scanRoutes.ts'
