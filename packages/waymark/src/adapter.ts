export { createFetchHandler, type FetchHandler, type RequestHost } from './host/fetchHandler.ts'
export type { ServerStores } from './node/openDrivers.ts'
export { type OpenedStores, type OpenStoresOptions, openStores } from './node/openStores.ts'
export { createHostCheck } from './shared/allowedHosts.ts'
export { unmounted } from './shared/basePath.ts'
export type { BuildContents, BuildFile, BuildPage, CompressedFile } from './shared/buildContents.ts'
export type { RouteManifest } from './shared/buildManifest.ts'
export type { BuiltServer } from './shared/builtServer.ts'
export { fileCacheControl } from './shared/cacheControl.ts'
export type { BuiltPage, BuiltPages, PageCacheLife } from './shared/cachedPage.ts'
export { encodePathname } from './shared/pathnames.ts'
export { assetsPrefix } from './shared/protocol.ts'
export type {
  Handle,
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ResponseBody,
  ServerRequest,
  Upgrade,
} from './shared/response.ts'
export { toResponse, toServerRequest } from './shared/web.ts'
export type {
  Adapter,
  AdapterOutcome,
  AppBuild,
  HostFeature,
  HostProgram,
} from './vite/config/hostAdapter.ts'
