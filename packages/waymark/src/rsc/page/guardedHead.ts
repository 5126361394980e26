import { createElement, type ReactNode } from 'react'
import { LateHead } from '../../components/LateHead.tsx'
import type { Head } from './head.ts'
import type { OutputBarrier } from './statusGate.ts'

/** The head of a page, as a node of its payload. */
export type GuardedHead = {
  readonly node: ReactNode
  /**
   * Sends the head of what stands in front of the layouts that have not decided, where a browser
   * can show that; the rest follows once they have. Without it, all of the head waits for them.
   */
  cut(): void
}

type GuardedHeadOptions = {
  /** Through all layouts that the head stems from. */
  readonly passage: OutputBarrier | null
  readonly whole: Head | Promise<Head>
  /** Makes the head of what stands in front of the layouts that have not let pass by now. */
  readonly front: () => Head
  /** Tells whether what stands in front can be shown while they decide. */
  readonly canCut: () => boolean
  /** Names the page. */
  readonly page: string
}

/** Makes a head that leaves the server only once the layouts around its page have let it pass. */
export function createGuardedHead(options: GuardedHeadOptions): GuardedHead {
  const { passage, whole, front, canCut, page } = options
  if (passage === null) return { node: whole as ReactNode, cut() {} }
  let resolveEarly: ((node: ReactNode) => void) | null = null

  const decided = (isOpen: boolean) => (isOpen ? whole : front()) as ReactNode
  const onceDecided = (resolve: (node: ReactNode) => void) =>
    passage.whenKnown((isOpen) => resolve(decided(isOpen)))

  // No props: the dev server would write them into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  const node = createElement(function GuardedHead() {
    if (passage.isOpen !== null) return decided(passage.isOpen)
    return new Promise<ReactNode>((resolve) => {
      resolveEarly = resolve
      onceDecided(resolve)
    })
  })

  return {
    node,
    cut() {
      if (passage.isOpen !== null || resolveEarly === null || !canCut()) return
      const late = new Promise<ReactNode>(onceDecided) as ReactNode
      resolveEarly(createElement(LateHead, { page, early: front() }, late))
    },
  }
}
