export type { JournalDriver } from './journal/driver.ts'
export { createFilesJournal, type FilesJournalOptions } from './journal/files.ts'
export { createMemoryJournal, type MemoryJournalOptions } from './journal/memory.ts'
export { type CloseOptions, closeOnSignals } from './node/closeOnSignals.ts'
export type { ServerLimits } from './node/limits.ts'
export { createRequestListener, type ListenerOptions, type ServerLogger } from './node/listener.ts'
export type { TrustProxy } from './node/origin.ts'
export { type Precompressed, precompress } from './node/precompress.ts'
export { prerenderedManifestName } from './node/prerendered.ts'
export type { RefusalScreen } from './node/refuse.ts'
export {
  createNodeServer,
  type NodeServer,
  type NodeServerOptions,
} from './node/serve.ts'
export { shareAssets } from './node/sharedAssets.ts'
export { loadStaticFiles, type StaticFiles, type StaticFilesOptions } from './node/staticFiles.ts'
export type {
  Handle,
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ResponseBody,
  ServerRequest,
} from './shared/answer.ts'
export type { PrerenderedFile, PrerenderedManifest } from './shared/prerendered.ts'
export { toResponse, toServerRequest } from './shared/web.ts'
