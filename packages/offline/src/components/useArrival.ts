'use client'

import { useSyncExternalStore } from 'react'
import { type Arrival, fromNetwork, pageArrival } from '../shared/arrival.ts'

/** Tells if the page on the screen came from the network or was saved, and when it was saved. */
export function useArrival(): Arrival {
  return useSyncExternalStore(pageArrival.subscribe, pageArrival.get, () => fromNetwork)
}
