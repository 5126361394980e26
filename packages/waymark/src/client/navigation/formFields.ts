/** A form field: an input, a text area or a select element. */
export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The value of a field: its text, the state of a checkbox or radio button, or the chosen options. */
export type DraftValue = string | boolean | readonly string[]

/**
 * A field, its value when an event occurred, and a copy of its properties at that time. The copy
 * includes React's own properties.
 */
export type PreHydrationInput = readonly [field: Field, value: DraftValue, properties: object]

/** The fields that the user has focused, with their values at that moment. */
export type TouchedFields = {
  /**
   * Values from before the user's change. They can't be read later, because React sets a controlled
   * field's default value to its current value.
   */
  readonly before: Map<Field, string>
  changed(): Field[]
}

/** Watches the fields of a document, including fields that are added later. */
export function trackTouchedFields(document: Document): TouchedFields {
  const before = new Map<Field, string>()
  const note = ({ target }: Event) => {
    if (!isField(target) || before.has(target)) return
    // If a field was changed before this listener existed, its default is still the old value.
    if (!isChanged(target)) before.set(target, `${draftValue(target)}`)
  }
  document.addEventListener('focusin', note)
  document.addEventListener('pointerdown', note, { capture: true })
  return {
    before,
    changed() {
      const fields = [...document.querySelectorAll<Field>('input, textarea, select')]
      return fields.filter((field) =>
        before.has(field) ? before.get(field) !== `${draftValue(field)}` : isChanged(field),
      )
    },
  }
}

export function isField(target: EventTarget | null): target is Field {
  return target instanceof Element && target.matches('input, textarea, select')
}

/** Reads the user's input in a field, as a value that can be stored as JSON. */
export function draftValue(field: Field): DraftValue {
  if (isTick(field)) return field.checked
  if (field instanceof HTMLSelectElement && field.multiple) {
    return [...field.selectedOptions].map(({ value }) => value)
  }
  return field.value
}

export function isTick(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

function isChanged(field: Field): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked
  if (!(field instanceof HTMLSelectElement)) {
    // The browser gives sliders and colour inputs a value even if they have no default. That value
    // isn't a change.
    const isBrowserDefault = field.defaultValue === '' && /^(?:range|color)$/.test(field.type)
    return field.value !== field.defaultValue && !isBrowserDefault
  }
  const options = [...field.options]
  return options.some((option) => option.defaultSelected)
    ? options.some((option) => option.selected !== option.defaultSelected)
    : field.selectedIndex > 0
}

/** Key in `sessionStorage` under which typed text is stored for the next document. */
export const draftKey = 'waymark-typed'

/** True if the previous document has saved a draft. */
export function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(draftKey) !== null
  } catch {
    return false
  }
}
