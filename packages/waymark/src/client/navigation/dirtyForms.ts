/** Knows what a person has typed or chosen. */
export type DirtyForms = {
  /** Whether leaving the document would lose something. */
  isDirty(): boolean
  /** The fields that it would lose. */
  changed(): readonly Field[]
}

/** What a person fills in. */
export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Watches the fields of a document. Those of a GET form count too; those marked
 * `data-waymark-volatile`, as a search box, don't.
 * @param isSending whether a form waits for its action: what it holds is not there yet
 */
export function watchForms(
  document: Document,
  isSending: (form: EventTarget) => boolean,
): DirtyForms {
  /**
   * Values before the person changed them. What the field itself tells is not enough: React keeps
   * the default value of a controlled field equal to its value.
   */
  const before = new Map<Field, string>()
  const note = ({ target }: Event) => {
    if (!isField(target) || before.has(target)) return
    // Changed before anybody watched: the field itself tells.
    if (!isChanged(target)) before.set(target, stateOf(target))
  }
  document.addEventListener('focusin', note)
  document.addEventListener('pointerdown', note, { capture: true })
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
    const fields = [...document.querySelectorAll<Field>('input, textarea, select')]
    for (const field of before.keys()) if (!field.isConnected) before.delete(field)
    return fields.filter((field) => {
      if (!counts(field)) return false
      const known = before.get(field)
      return known === undefined ? isChanged(field) : known !== stateOf(field)
    })
  }
  return { changed, isDirty: () => changed().length > 0 }
}

function isField(target: EventTarget | null): target is Field {
  return target instanceof Element && target.matches('input, textarea, select')
}

function counts(field: Field): boolean {
  if (field.disabled || /^(hidden|submit|button|image|reset)$/.test(field.type)) return false
  return field.checkVisibility() && !field.closest('[data-waymark-volatile]')
}

function stateOf(field: Field): string {
  return isTick(field) ? String(field.checked) : field.value
}

function isTick(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

/** Tells it of a field that was changed before anybody watched. */
function isChanged(field: Field): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue
  const options = [...field.options]
  return options.some((option) => option.defaultSelected)
    ? options.some((option) => option.selected !== option.defaultSelected)
    : field.selectedIndex > 0
}
