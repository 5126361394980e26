import { createElement, type ReactNode } from 'react'

/**
 * Whether all layouts above a segment have rendered without redirecting or throwing. Layouts and
 * page of a route run side by side; the output of each waits for the layouts around it, so that
 * nothing from behind a layout that refuses leaves the server.
 */
export type OutputBarrier = {
  /** `null` while it is not known. */
  readonly isOpen: boolean | null
  /** Calls back once it is known. */
  whenKnown(listener: (isOpen: boolean) => void): void
  /** Reports how the segment itself went. */
  settle(isOpen: boolean): void
}

/**
 * Creates the barrier of a segment.
 * @param outer that of the segments around it
 */
export function createOutputBarrier(outer: OutputBarrier | null): OutputBarrier {
  let own: boolean | null = null
  let listeners: ((isOpen: boolean) => void)[] = []

  function update(): void {
    const around = outer === null ? true : outer.isOpen
    const isKnown = own === false || (own !== null && around !== null)
    if (barrier.isOpen !== null || !isKnown) return
    const isOpen = own === true && around === true
    barrier.isOpen = isOpen
    for (const listener of listeners) listener(isOpen)
    listeners = []
  }

  const barrier = {
    isOpen: null as boolean | null,
    whenKnown(listener: (isOpen: boolean) => void) {
      if (barrier.isOpen === null) listeners.push(listener)
      else listener(barrier.isOpen)
    },
    settle(isOpen: boolean) {
      own = isOpen
      update()
    },
  }
  outer?.whenKnown(update)
  return barrier
}

/** Passes a value on once a barrier is open, and `null` when it is known not to open. */
export function behindBarrier<T>(
  barrier: OutputBarrier | null,
  value: T,
): T | null | Promise<T | null> {
  if (barrier === null || barrier.isOpen === true) return value
  if (barrier.isOpen === false) return null
  return new Promise((resolve) => barrier.whenKnown((isOpen) => resolve(isOpen ? value : null)))
}

/** Creates a node that is sent once a barrier is open, and is empty when it does not open. */
export function behind(barrier: OutputBarrier | null, node: ReactNode): ReactNode {
  if (barrier === null) return node
  // No props: the dev server would write the node into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Behind() {
    return behindBarrier(barrier, node)
  })
}
