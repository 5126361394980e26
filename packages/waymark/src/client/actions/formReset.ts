/** Preserves the input of a form from the reset with which React ends every action. */
export type PreservedInput = {
  /** Prevents the next reset of the form, unless the user causes it. */
  preserve(form: HTMLFormElement): void
  /** The form is submitted again. */
  release(form: HTMLFormElement): void
}

/** On a form whose input stays whatever its action returns. */
const keepAttribute = 'data-waymark-keep'

/** Creates it for a window. */
export function createPreservedInput(view: Window): PreservedInput {
  const preserved = new Set<HTMLFormElement>()
  let resetByUser: HTMLFormElement | null = null

  view.addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('button, input') : null
      if (!isReset(button)) return
      resetByUser = button.form
      // The reset follows in the same task.
      setTimeout(() => {
        resetByUser = null
      })
    },
    { capture: true },
  )
  view.addEventListener(
    'reset',
    (event) => {
      const { target: form } = event
      if (!(form instanceof HTMLFormElement) || form === resetByUser) return
      if (!preserved.delete(form) && !form.hasAttribute(keepAttribute)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
  return {
    preserve: (form) => void preserved.add(form),
    release: (form) => void preserved.delete(form),
  }
}

function isReset(element: Element | null): element is HTMLButtonElement {
  return element !== null && (element as HTMLButtonElement).type === 'reset'
}
