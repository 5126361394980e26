'use client'

import { type RefCallback, useCallback, useEffect } from 'react'

const keyOf = (name: string) => `draft:${name}`

/**
 * Keeps what is typed into a form in this tab: for a reload, and for coming back.
 * @param name of the draft; only fields that are meant to be seen belong into such a form
 * @returns the `ref` of the form
 */
export function useDraft(name: string): RefCallback<HTMLFormElement> {
  return useCallback(
    (form) => {
      if (!form) return
      restore(form, name)
      const save = () => store(name, Object.fromEntries(textsOf(form)))
      form.addEventListener('input', save)
      return () => form.removeEventListener('input', save)
    },
    [name],
  )
}

/** Forgets a draft, once it has arrived. */
export function ForgetDraft({ name }: { name: string }): null {
  useEffect(() => store(name, null), [name])
  return null
}

function textsOf(form: HTMLFormElement): [string, string][] {
  const fields = [...form.elements].filter((element) => element instanceof HTMLInputElement)
  return fields.filter(({ type }) => type !== 'hidden').map(({ name, value }) => [name, value])
}

function restore(form: HTMLFormElement, name: string) {
  const draft = read(name)
  for (const [field, value] of Object.entries(draft)) {
    const input = form.elements.namedItem(field)
    // What the person has typed before the script came is newer.
    if (input instanceof HTMLInputElement && input.value === '') input.value = String(value)
  }
}

function read(name: string): object {
  try {
    return Object(JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{}'))
  } catch {
    // Storage is blocked, or somebody else wrote there: there is no draft then.
    return {}
  }
}

function store(name: string, texts: object | null) {
  try {
    if (texts === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), JSON.stringify(texts))
  } catch {
    // Storage is blocked or full: the form works, and keeps nothing.
  }
}
