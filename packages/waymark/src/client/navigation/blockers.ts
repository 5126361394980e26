import type { NavigationKind } from '../../components/navigationStore.ts'
import type { Blocker } from '../../components/routerContext.ts'

/** What may block navigations, as an unsaved form does. */
export type Blockers = {
  /** @returns removes it */
  add(blocker: Blocker): () => void
  /** @returns once every blocker has let the navigation go on, or one has not */
  allow(request: { readonly url: URL; readonly kind: NavigationKind }): Promise<boolean>
}

/** Creates the blockers of a document; the browser asks when the document itself is left. */
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
        const goesOn = await new Promise<boolean>((decide) => blocker.onBlocked(url, decide))
        if (!goesOn) return false
      }
      return true
    },
  }
}
