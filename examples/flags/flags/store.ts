import type { Flags } from './rules.ts'

/** The flags of this browser's user, as components show them. */
export type FlagsState = { readonly flags: Flags; readonly hasFailed: boolean }

/** Also in HTML of the server: the flags come with the first script. */
export const initialState: FlagsState = { flags: {}, hasFailed: false }

let state = initialState
const listeners = new Set<() => void>()

export const getState = (): FlagsState => state

/** @param flags `null` if they could not be loaded: those from before stay */
export function setFlags(flags: Flags | null): void {
  state = { flags: flags ?? state.flags, hasFailed: flags === null }
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
