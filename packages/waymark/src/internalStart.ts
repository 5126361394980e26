export type { CommandInput } from './cli/arguments.ts'
export { readBuildsWithAssets } from './cli/ownAssets.ts'
export type { Operations, WorkerChannel } from './cli/startCommand.ts'
export { closeOnSignals } from './node/httpServer.ts'
export type {
  FinishedRequest,
  RequestObserver,
} from './node/observeRequests.ts'
export { refuse } from './node/refuse.ts'
export { contentTypeOf } from './node/static/mediaTypes.ts'
export { copyWhole } from './node/static/sharedAssets.ts'
export { isSame } from './shared/doctorProof.ts'
export { neverThrows } from './shared/neverThrows.ts'
export { timedOut, withDeadline } from './shared/promises.ts'
export { internalPrefix, pagePathnameOf } from './shared/protocol.ts'
