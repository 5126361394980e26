'use client'

import { useSyncExternalStore } from 'react'
import { current, type LiveState, liveStore } from './client/state.ts'

export {
  type UseStream,
  type UseStreamOptions,
  useStream,
} from './streamClient/useStream.ts'
export type { LiveState }

/** Whether what is on the screen is current, or behind since when. */
export function useLive(): LiveState {
  const { get, subscribe } = liveStore()
  return useSyncExternalStore(subscribe, get, () => current)
}
