export type { ClosedPath, ServedAssets } from './builds/servedAssets.ts'
export type { Cache } from './cache/cache.ts'
export type { CacheDriver, InvalidationMode } from './cache/cacheDriver.ts'
export type { CacheRead, Compute, Computed } from './cache/cacheEntry.ts'
export type { MemoryDriver } from './cache/memoryCacheDriver.ts'
export type { CommandInput, PackageCommand } from './cli/arguments.ts'
export { defineCommand } from './cli/defineCommand.ts'
export type { PayloadReader } from './client/hooks/callHooks.ts'
export type { ClientHooks, PackageRouter } from './client/packageHooks.ts'
export type { Endpoint, SentDocument } from './http/endpoint.ts'
export type {
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  SentRequest,
  ServerRequest,
  Upgrade,
} from './http/response.ts'
export type { CreateServerPart, ServerApp, ServerPart } from './rsc/packageParts.ts'
export type { FollowedPage, FollowPage } from './rsc/page/followedPage.ts'
export type { Sealer } from './rsc/request/draftMode.ts'
export type { AroundRequest, ObservingAround } from './rsc/serverOptions.ts'
export {
  definePackage,
  type ModuleExport,
  type PackageDescription,
  type PackagePlugin,
} from './vite/config/definePackage.ts'
export type { TracedEvent } from './wire/trace.ts'
