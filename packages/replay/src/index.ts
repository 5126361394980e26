export type { ReplaySession } from './command/sendRequest.ts'
export type { OpenReplaySession, ReplayContext } from './command/session.ts'
export type { StoredAction, StoredArgument } from './server/storedRequest.ts'
export { type ReplayedRequest, replayRequest } from './writtenTest/replayRequest.ts'
