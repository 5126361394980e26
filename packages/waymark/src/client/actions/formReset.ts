/** Keeps what was typed in a form from the reset that React ends every action with. */
export type PreservedInput = {
  /** The next reset of the form is left out, unless the person asks for it. */
  keep(form: HTMLFormElement): void
  /** The form is submitted anew. */
  release(form: HTMLFormElement): void
}

/** On a form that keeps its input whatever its action returns. */
const keepAttribute = 'data-waymark-keep'

/** Makes it for a window. */
export function createPreservedInput(view: Window): PreservedInput {
  const kept = new Set<HTMLFormElement>()
  let asked: HTMLFormElement | null = null

  view.addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('button, input') : null
      if (!isReset(button)) return
      asked = button.form
      // The reset follows in the same task.
      setTimeout(() => {
        asked = null
      })
    },
    { capture: true },
  )
  view.addEventListener(
    'reset',
    (event) => {
      const { target: form } = event
      if (!(form instanceof HTMLFormElement) || form === asked) return
      if (!kept.delete(form) && !isMarked(form)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
  return {
    keep: (form) => void kept.add(form),
    release: (form) => void kept.delete(form),
  }
}

function isMarked(form: HTMLFormElement): boolean {
  return form.hasAttribute(keepAttribute)
}

function isReset(element: Element | null): element is HTMLButtonElement {
  return element !== null && (element as HTMLButtonElement).type === 'reset'
}
