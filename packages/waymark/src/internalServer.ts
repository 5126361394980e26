export type { Cache } from './cache/cache.ts'
export type { CacheDriver } from './cache/cacheDriver.ts'
export type { MemoryDriver } from './cache/memoryCacheDriver.ts'
export { createTokenBuckets } from './journal/journal.ts'
export { appSecrets } from './rsc/action/boundArgs.ts'
export {
  hashCredentials,
  type IsCredential,
  readCredentials,
  withSetCookies,
} from './rsc/action/credentials.ts'
export type { FollowPage } from './rsc/page/pageRequest.ts'
export { tagsOfPage } from './rsc/pageCache/revalidate.ts'
export type { Sealer } from './rsc/request/draftMode.ts'
export { decodeText, readBody } from './rsc/request/readBody.ts'
export { clientNetwork } from './rsc/request/readRequest.ts'
export { receiveBeacons } from './rsc/request/receiveBeacons.ts'
export { findScope } from './rsc/request/scope.ts'
export type { CreateEndpoint, Endpoint, SentDocument } from './shared/endpoint.ts'
export type { ServerRequest } from './shared/response.ts'
