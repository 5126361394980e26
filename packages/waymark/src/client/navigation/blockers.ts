import type { Blocker } from '../../components/routerContext.ts'
import type { Field, TouchedFields } from './formFields.ts'
import type { NavigationRequest } from './navigation.ts'

/** What may block navigations, as an unsaved form does. */
export type Blockers = {
  /** @returns removes it */
  add(blocker: Blocker): () => void
  /** @returns once every blocker has let the navigation go on, or one has not */
  allow(request: NavigationRequest): Promise<boolean>
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

/** What the user has typed or chosen. */
export type DirtyForms = {
  /** Whether leaving the document would lose something. */
  isDirty(): boolean
  /** The fields that it would lose. */
  changed(): readonly Field[]
}

/**
 * Tracks the forms of a document. Fields of a GET form count too; those marked
 * `data-waymark-volatile`, as a search box, don't.
 * @param isSending whether a form waits for its action: its values have not arrived yet
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
    // Whether it has called an action is known after all listeners.
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
