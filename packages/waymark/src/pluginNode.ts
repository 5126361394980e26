export { type BuildManifest, buildLayout } from './builds/buildManifest.ts'
export {
  cacheStatusHeader,
  draftCookie,
  type FindCached,
  type PrerenderedManifest,
} from './builds/cachedPage.ts'
export { openAppJournal } from './cli/appJournal.ts'
export { listAllAssets } from './cli/buildAssets.ts'
export { parseDuration, sharedOptions } from './cli/commandOptions.ts'
export { createDescribe } from './cli/errorsCommand.ts'
export type { ObservedServer, Operations, WorkerChannel } from './cli/startCommand.ts'
export { alignColumns } from './cli/terminal.ts'
export { type CurrentRoute, pageElement } from './components/pageElement.ts'
export { createFrameWriter } from './http/frameWriter.ts'
export { detailJson, detailLines, type EntryDetail } from './journal/detail.ts'
export { importAppPackage, waymarkVersion } from './node/appPackages.ts'
export { envFileNames, loadEnvFiles } from './node/env.ts'
export type { FinishedRequest, RequestObserver } from './node/observeRequests.ts'
export {
  findBuildManifest,
  readCompatibleManifest,
  readPrerenderedManifest,
} from './node/static/manifest.ts'
export { contentTypeOf } from './node/static/mediaTypes.ts'
export { pathnameOf } from './routing/href.ts'
export { parseSecrets } from './rsc/action/parseSecrets.ts'
export { runInRequest } from './rsc/request/runInRequest.ts'
export { escapeHtml } from './shared/html.ts'
export { callHeaders } from './wire/callHeaders.ts'
export { documentEndMark } from './wire/documentMarks.ts'
export { createFrameReader, type FrameReader, readFrames } from './wire/frames.ts'
export {
  actionHeader,
  digestHeader,
  finalStatusHeader,
  internalPrefix,
  navigationFromHeader,
  pagePathnameOf,
  payloadUrl,
  prefetchHeader,
  prefetchPurpose,
  refusalOf,
  wholePrefetch,
} from './wire/protocol.ts'
