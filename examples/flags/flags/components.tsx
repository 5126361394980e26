'use client'

import { useSyncExternalStore } from 'react'
import { getState, initialState, subscribe } from './store.ts'

function useFlags() {
  return useSyncExternalStore(subscribe, getState, () => initialState)
}

/** True if the user has the flag; false until the flags have been loaded. */
export function useFlag(name: string): boolean {
  return useFlags().flags[name] === true
}

/** Says that the flags could not be loaded; shows nothing otherwise. */
export function FlagsNotice({ text = 'Some features could not be loaded.' }: { text?: string }) {
  return useFlags().hasFailed ? <p role="alert">{text}</p> : null
}
