import type { Flags } from './rules.ts'

/** The flags that components in this browser use. */
export type FlagsState = { readonly flags: Flags; readonly hasFailed: boolean }

/** Initial state, also for the server's HTML. The browser loads the flags with its first script. */
export const initialState: FlagsState = { flags: {}, hasFailed: false }

let state = initialState
const listeners = new Set<() => void>()

export const getState = (): FlagsState => state

/** @param flags `null` if the request failed; the current flags then stay */
export function setFlags(flags: Flags | null): void {
  state = { flags: flags ?? state.flags, hasFailed: flags === null }
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
