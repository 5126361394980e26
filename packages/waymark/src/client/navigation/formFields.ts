/** An element that a person types into, or chooses with. */
export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The content of a field: its text, true for a ticked box, or the chosen options of a list. */
export type DraftValue = string | boolean | readonly string[]

/** The value of a field at an event, and its properties at that moment, with those of React. */
export type PreHydrationInput = readonly [field: Field, value: DraftValue, properties: object]

/** The fields that the user has focused, and their values then. */
export type TouchedFields = {
  /**
   * Values before the user changed them: React keeps a controlled field's default equal to its
   * value.
   */
  readonly before: Map<Field, string>
  changed(): Field[]
}

/** Watches the fields of a document, those that come later included. */
export function trackTouchedFields(document: Document): TouchedFields {
  const before = new Map<Field, string>()
  const note = ({ target }: Event) => {
    if (!isField(target) || before.has(target)) return
    // Changed before this listened: the field's default has the old value.
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

/** Reads what a person has typed into a field or chosen with it, to be stored as JSON. */
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
    // To a slider or a colour without a value, the browser gives one.
    const isBrowserDefault = field.defaultValue === '' && /^(?:range|color)$/.test(field.type)
    return field.value !== field.defaultValue && !isBrowserDefault
  }
  const options = [...field.options]
  return options.some((option) => option.defaultSelected)
    ? options.some((option) => option.selected !== option.defaultSelected)
    : field.selectedIndex > 0
}

/** Key of the typed texts that wait for the next document. */
export const draftKey = 'waymark-typed'

/** True if the previous document has left a draft. */
export function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(draftKey) !== null
  } catch {
    return false
  }
}
