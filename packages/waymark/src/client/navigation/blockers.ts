import type { Blocker } from '../../components/routerContext.ts'

/** What may block navigations, as an unsaved form does. */
export type Blockers = {
  readonly all: ReadonlySet<Blocker>
  /** @returns removes it */
  add(blocker: Blocker): () => void
}

/** Creates the blockers of a document; the browser asks when the document itself is left. */
export function createBlockers(view: Window): Blockers {
  const all = new Set<Blocker>()

  view.addEventListener('beforeunload', (event) => {
    const here = new URL(view.location.href)
    if ([...all].some((blocker) => blocker.blocks(here))) event.preventDefault()
  })

  return {
    all,
    add(blocker) {
      all.add(blocker)
      return () => all.delete(blocker)
    },
  }
}
