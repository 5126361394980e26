export type { BuildContents, BuildFile, BuildPage, CompressedFile } from './builds/buildContents.ts'
export type { RouteManifest, RouteRendering, RouteSizes } from './builds/buildManifest.ts'
export type { BuiltServer } from './builds/builtServer.ts'
export { fileCacheControl } from './builds/cacheControl.ts'
export {
  type BuiltPage,
  type BuiltPages,
  draftCookie,
  type FindBuilt,
  type FindCached,
  type PageCacheLife,
  type PageCacheResponse,
  type PrerenderedShell,
} from './builds/cachedPage.ts'
export {
  createFetchHandler,
  type FetchHandler,
  type FetchHandlerOptions,
  type FileBytes,
  type RequestHost,
} from './host/fetchHandler.ts'
export { createHostCheck } from './http/allowedHosts.ts'
export type { Validators } from './http/conditionalRequest.ts'
export { encodePathname } from './http/pathnames.ts'
export type {
  Handle,
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  Responding,
  ResponseBody,
  ServerRequest,
  Upgrade,
} from './http/response.ts'
export { toResponse, toServerRequest } from './http/web.ts'
export type { ServerStores } from './node/openDrivers.ts'
export { type OpenedStores, type OpenStoresOptions, openStores } from './node/openStores.ts'
export type { DriverPackage, RuntimePackages } from './node/runtimePackages.ts'
export { unmounted } from './shared/basePath.ts'
export type {
  Adapter,
  AdapterOutcome,
  AppBuild,
  HostFeature,
  HostProgram,
  UsedFeature,
} from './vite/config/hostAdapter.ts'
export { assetsPrefix } from './wire/protocol.ts'
