import {
  type DraftValue,
  draftValue,
  type Field,
  fieldsByKey,
  restoreFields,
  storableFields,
} from 'waymark/plugin/client'

const storageKey = 'waymark-i18n-text'

/** Maximum age of kept text in milliseconds. Later, the visitor came back in some other way. */
const keptMs = 60_000

type Kept = {
  readonly path: string
  readonly atMs: number
  readonly fields: readonly (readonly [string, DraftValue])[]
}

/** Keeps what the visitor has typed for the document at a URL. */
export function keepTypedText({ pathname }: URL): void {
  const changed = [...fieldsByKey(document).values()].filter(isChanged)
  const fields = [...storableFields(document, changed)].map(
    ([key, field]) => [key, draftValue(field)] as const,
  )
  const kept: Kept = { path: pathname, atMs: Date.now(), fields }
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Without storage, the text is lost, but the link still works.
  }
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  }
  const isTicked = field instanceof HTMLInputElement && field.checked !== field.defaultChecked
  return isTicked || field.value !== field.defaultValue
}

/** Fills in what the visitor typed before the language changed. */
export function restoreTypedText(): void {
  let kept: Kept | null = null
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    sessionStorage.removeItem(storageKey)
  } catch {
    return
  }
  if (kept === null || kept.path !== location.pathname) return
  if (Date.now() - kept.atMs > keptMs) return
  restoreFields(document, new Map(kept.fields))
}
