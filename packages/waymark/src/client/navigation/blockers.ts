import type { Blocker } from '../../components/routerContext.ts'
import type { Field, TouchedFields } from './formFields.ts'
import type { NavigationRequest } from './navigation.ts'

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

/** Knows what a person has typed or chosen. */
export type DirtyForms = {
  /** Whether leaving the document would lose something. */
  isDirty(): boolean
  /** The fields that it would lose. */
  changed(): readonly Field[]
}

/**
 * Follows the forms of a document. Fields of a GET form count too; those marked
 * `data-waymark-volatile`, as a search box, don't.
 * @param isSending whether a form waits for its action: what it holds is not there yet
 */
export function trackDirtyForms(
  document: Document,
  touched: TouchedFields,
  isSending: (form: EventTarget) => boolean,
): DirtyForms {
  const { before } = touched
  const forget = ({ target }: Event) => {
    for (const field of before.keys()) if (field.form === target) before.delete(field)
  }
  document.addEventListener('submit', (event) => {
    // Whether an action was called of it is known once everybody has heard of it.
    setTimeout(() => event.target && !isSending(event.target) && forget(event))
  })
  // React resets the form of an action that has succeeded.
  document.addEventListener('reset', forget)

  function changed(): readonly Field[] {
    for (const field of before.keys()) if (!field.isConnected) before.delete(field)
    return touched.changed().filter(counts)
  }
  return { changed, isDirty: () => changed().length > 0 }
}

function counts(field: Field): boolean {
  if (field.disabled || /^(hidden|submit|button|image|reset)$/.test(field.type)) return false
  return field.checkVisibility() && !field.closest('[data-waymark-volatile]')
}
