'use client'

import { useSyncExternalStore } from 'react'
import { type Arrival, fromNetwork, pageArrival } from '../shared/arrival.ts'

/** Tells whether the page on the screen has come from the network, or was kept, and since when. */
export function useArrival(): Arrival {
  return useSyncExternalStore(pageArrival.subscribe, pageArrival.get, () => fromNetwork)
}
