import { channel } from 'node:diagnostics_channel'

/** An event about live pages, with tag names that must not leave the server. */
export type LiveEvent =
  /** A page that follows these tags was rendered. */
  | { readonly type: 'live'; readonly pathname: string; readonly tags: readonly string[] }
  /** Tags were invalidated; `all` if it is unknown which. */
  | { readonly type: 'change'; readonly tags: readonly string[] | 'all' }

const events = channel('waymark:live')

/**
 * Publishes an event in this process, for subscribers such as `@waymark/devtools` in development.
 */
export function tell(event: LiveEvent): void {
  if (events.hasSubscribers) events.publish(event)
}
