export { replayDigest } from './command/completeReplay.ts'
