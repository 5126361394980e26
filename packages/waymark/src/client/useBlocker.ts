'use client'

import { useContext, useEffect, useState } from 'react'
import { RouterContext } from './router.ts'

/** A blocker as its component sees it. */
export type BlockerState =
  | { readonly state: 'open' }
  | {
      readonly state: 'blocked'
      readonly target: URL
      /** Goes where the person wanted to go. */
      readonly proceed: () => void
      /** Stays. */
      readonly stay: () => void
    }

const open: BlockerState = { state: 'open' }

/**
 * Holds navigations while something would be lost by them, as what was typed into a form. When
 * the document itself is left, the browser asks.
 * @param isBlocking whether it holds now
 */
export function useBlocker(isBlocking: boolean): BlockerState {
  const { blockers } = useContext(RouterContext)
  const [state, setState] = useState<BlockerState>(open)
  useEffect(() => {
    if (!isBlocking) return
    return blockers.add({
      blocks: () => true,
      onBlocked(target, answer) {
        const settle = (goOn: boolean) => () => {
          setState(open)
          answer(goOn)
        }
        setState({ state: 'blocked', target, proceed: settle(true), stay: settle(false) })
      },
    })
  }, [blockers, isBlocking])
  return state
}
