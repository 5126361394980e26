import { type BrowserEvents, createBrowserEvents } from '../browserEvents.ts'
import type { DevEvent } from '../events.ts'

/** A page opened last has said it all within this time. */
const connectWithinMs = 400

export type LiveEvents = ReturnType<typeof createLiveEvents>

/** The events that tabs show; connected from the first tab that asks on, until the panel closes. */
export function createLiveEvents(view: Window) {
  let source: BrowserEvents | null = null
  let unsubscribe = () => {}
  let count = 0
  return {
    async list(): Promise<readonly DevEvent[]> {
      if (source === null) {
        source = createBrowserEvents(view)
        unsubscribe = source.subscribe(() => {
          count += 1
        })
        await new Promise((resolve) => setTimeout(resolve, connectWithinMs))
      }
      return source.events()
    },
    /** How many have come: another number means something new. */
    count: () => count,
    stop: () => unsubscribe(),
  }
}
