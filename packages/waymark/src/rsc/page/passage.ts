import { createElement, type ReactNode } from 'react'

/**
 * Whether what stands around a segment lets it be shown. Layouts and page of a route run side by
 * side; what one of them gives out waits until those around it have let it pass, so that nothing
 * leaves the server from behind a layout that refuses.
 */
export type OutputBarrier = {
  /** `null` as long as it is not known. */
  readonly isOpen: boolean | null
  /** Calls back once it is known. */
  whenKnown(listener: (isOpen: boolean) => void): void
  /** Tells how the segment itself went. */
  settle(isOpen: boolean): void
}

/**
 * Makes the passage through a segment.
 * @param outer that through what stands around it
 */
export function createOutputBarrier(outer: OutputBarrier | null): OutputBarrier {
  let own: boolean | null = null
  let listeners: ((isOpen: boolean) => void)[] = []

  function update(): void {
    const around = outer === null ? true : outer.isOpen
    if (passage.isOpen !== null || (own !== false && (own === null || around === null))) return
    const isOpen = own && around === true
    passage.isOpen = isOpen
    for (const listener of listeners) listener(isOpen)
    listeners = []
  }

  const passage = {
    isOpen: null as boolean | null,
    whenKnown(listener: (isOpen: boolean) => void) {
      if (passage.isOpen === null) listeners.push(listener)
      else listener(passage.isOpen)
    },
    settle(isOpen: boolean) {
      own = isOpen
      update()
    },
  }
  outer?.whenKnown(update)
  return passage
}

/** Gives a value out once a passage is known to be open, and nothing when it is not. */
export function behindBarrier<T>(
  passage: OutputBarrier | null,
  value: T,
): T | null | Promise<T | null> {
  if (passage === null || passage.isOpen === true) return value
  if (passage.isOpen === false) return null
  return new Promise((resolve) => passage.whenKnown((isOpen) => resolve(isOpen ? value : null)))
}

/** Makes a node that is sent once a passage is known to be open, and is nothing when it is not. */
export function behind(passage: OutputBarrier | null, node: ReactNode): ReactNode {
  if (passage === null) return node
  // No props: the dev server would write the node into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Behind() {
    return behindBarrier(passage, node)
  })
}
