export { createHostCheck } from './shared/allowedHosts.ts'
export { unmounted } from './shared/basePath.ts'
export { fileCacheControl } from './shared/cacheControl.ts'
export { assetsPrefix } from './shared/protocol.ts'
export type {
  BuiltServer,
  Handle,
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ResponseBody,
  ServerRequest,
} from './shared/response.ts'
export { toResponse, toServerRequest } from './shared/web.ts'
export type {
  RuntimeTarget,
  TargetBuild,
  TargetProgram,
} from './vite/build/targetBuild.ts'
