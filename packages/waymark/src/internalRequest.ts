export { bodyFailures, watchBody } from './rsc/request/readBody.ts'
export { runAsOther } from './rsc/request/scope.ts'
export { createHostCheck } from './shared/allowedHosts.ts'
export { setBounded } from './shared/maps.ts'
