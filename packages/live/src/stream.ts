export type { StreamEvent } from './shared/streamEvents.ts'
export { type Channel, createChannel } from './stream/channel.ts'
export {
  type StreamContext,
  type StreamFunction,
  type StreamOptions,
  stream,
} from './stream/streamHandler.ts'
