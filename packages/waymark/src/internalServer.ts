export type { Cache } from './cache/cache.ts'
export { createTokenBuckets } from './journal/journal.ts'
export { appSecrets } from './rsc/action/boundArgs.ts'
export type { CreateLive } from './rsc/live.ts'
export { tagsOfPage } from './rsc/pageCache/revalidate.ts'
export { decodeText, readBody } from './rsc/request/readBody.ts'
export { clientNetwork } from './rsc/request/readRequest.ts'
export { isSameOrigin, receiveBeacons } from './rsc/request/receiveBeacons.ts'
export { findScope, type PageReads, type RequestScope } from './rsc/request/scope.ts'
export {
  type CreateEndpoint,
  type Endpoint,
  onDrain,
  type SentDocument,
} from './shared/endpoint.ts'
export { signalOf } from './shared/signals.ts'
