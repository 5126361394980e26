import {
  type RedirectStatus,
  type ScreenStatus,
  type Signal,
  signalOf,
} from '../../shared/signals.ts'
import type { Failure } from './gate.ts'
import type { SlotPath } from './segments.ts'

/** What a route's deciders came to, before anything of it is rendered. */
export type Decision =
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }
  /** A fallback takes the place of what threw. */
  | { readonly kind: 'fallback'; readonly status: ScreenStatus; readonly place: SlotPath | null }
  | { readonly kind: 'error'; readonly thrown: unknown; readonly place: SlotPath | null }

/**
 * Decides what a route answers. Of several failures the outermost counts: what is inside of it
 * will not be shown anyway.
 */
export function decide(failures: readonly Failure<SlotPath | null>[]): Decision {
  const first = outermostFailure(failures)
  if (!first) return { kind: 'page' }
  const signal = signalOf(first.thrown)
  return signal ? signalled(signal, first.place) : { kind: 'error', ...first }
}

/** The failure that counts: what stands inside of it will not be shown. */
export function outermostFailure(
  failures: readonly Failure<SlotPath | null>[],
): Failure<SlotPath | null> | null {
  return failures.toSorted((a, b) => depthOf(a.place) - depthOf(b.place))[0] ?? null
}

function signalled(signal: Signal, place: SlotPath | null): Decision {
  switch (signal.kind) {
    case 'redirect':
      return signal
    case 'fallback':
      return { kind: 'fallback', status: signal.status, place }
  }
}

function depthOf(place: SlotPath | null): number {
  let depth = 0
  for (let at = place; at; at = at.outer) depth++
  return depth
}
