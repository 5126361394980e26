export type { ReplaySession } from './command/sendKept.ts'
export type { OpenReplaySession, ReplayContext } from './command/session.ts'
export type { KeptAction, KeptArgument } from './server/keptRequest.ts'
export { type ReplayedRequest, replayRequest } from './writtenTest/replayRequest.ts'
