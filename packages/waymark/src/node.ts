export type { LoadShedding } from './builds/builtServer.ts'
export type { ServerLimits } from './node/httpServer.ts'
export {
  type CloseOptions,
  closeOnSignals,
  createNodeServer,
  type NodeServer,
  type NodeServerOptions,
} from './node/httpServer.ts'
export { createRequestListener, type ListenerOptions, type ServerLogger } from './node/listener.ts'
export type { RefusalScreen } from './node/refuse.ts'
export type { TrustProxy } from './node/request.ts'
export {
  loadStaticFiles,
  type StaticFiles,
  type StaticFilesOptions,
} from './node/static/staticFiles.ts'
