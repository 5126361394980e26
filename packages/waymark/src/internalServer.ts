export type { Cache } from './cache/cache.ts'
export { appSecrets } from './rsc/action/boundArgs.ts'
export { findScope } from './rsc/request/scope.ts'
