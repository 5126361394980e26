import type { NavigationRequest } from './navigation.ts'

/** Asked before a navigation: false holds it. */
export type Blocker = {
  readonly blocks: (target: URL) => boolean
  /** Hears of a navigation that is held; it goes on or is given up by the answer. */
  readonly onBlocked: (target: URL, answer: (goOn: boolean) => void) => void
}

/** What may hold navigations, as an unsaved form does. */
export type Blockers = {
  /** @returns takes it away */
  add(blocker: Blocker): () => void
  /** @returns once every blocker has let the navigation go on, or one has not */
  allow(request: NavigationRequest): Promise<boolean>
}

/** Makes the blockers of a document; leaving the document itself is asked about, too. */
export function createBlockers(view: Window): Blockers {
  const blockers = new Set<Blocker>()

  view.addEventListener('beforeunload', (event) => {
    const here = new URL(view.location.href)
    if ([...blockers].some((blocker) => blocker.blocks(here))) event.preventDefault()
  })

  return {
    add(blocker) {
      blockers.add(blocker)
      return () => blockers.delete(blocker)
    },
    async allow({ url, kind }) {
      if (kind === 'refresh') return true
      for (const blocker of blockers) {
        if (!blocker.blocks(url)) continue
        const goesOn = await new Promise<boolean>((answer) => blocker.onBlocked(url, answer))
        if (!goesOn) return false
      }
      return true
    },
  }
}
