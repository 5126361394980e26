import { channel } from 'node:diagnostics_channel'

/** What happens to live pages. It holds names of tags, which only the server may know. */
export type LiveEvent =
  /** A page was rendered that follows these tags. */
  | { readonly type: 'live'; readonly pathname: string; readonly tags: readonly string[] }
  /** Tags have ended; `all` when nobody knows which. */
  | { readonly type: 'change'; readonly tags: readonly string[] | 'all' }

const events = channel('waymark:live')

/** Tells the process, where something listens: `@waymark/devtools` in development. */
export function tell(event: LiveEvent): void {
  if (events.hasSubscribers) events.publish(event)
}
