import type { ClientHooks } from 'waymark/plugin'
import { createSubscriptions } from './subscriptions.ts'

// This module is part of each page's first script. The code that keeps pages current loads together
// with the router.

let startRouter = () => {}
let onSubscription = () => {}

/** The subscriptions in the payloads that this document has received. */
export const subscriptions = createSubscriptions(() => {
  startRouter()
  onSubscription()
})

/** Reads the subscription at the end of a live page's payload, where the server has written it. */
export const readPayload: ClientHooks['readPayload'] = subscriptions.readEnd

/**
 * Loads the router, which live pages need at once. Other pages only load it when a navigation is
 * likely.
 */
export const onBoot: ClientHooks['onBoot'] = (start) => {
  startRouter = start
}

/** After the router has started, calls `listener` for each new subscription. */
export function setOnSubscription(listener: () => void): void {
  startRouter = () => {}
  onSubscription = listener
}
