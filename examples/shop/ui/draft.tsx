'use client'

import { type RefCallback, useCallback, useEffect } from 'react'

const keyOf = (name: string) => `draft:${name}`

/**
 * Stores the text of a form in this tab, and restores it after a reload or a visit to another page.
 * @param name name of the draft. Don't use drafts for forms with secrets, because the text is stored
 * unencrypted.
 * @returns a `ref` for the form
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

/** Deletes a draft after the form has arrived. */
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
    // Don't replace text that was typed before this script ran.
    if (input instanceof HTMLInputElement && input.value === '') input.value = String(value)
  }
}

function read(name: string): object {
  try {
    return Object(JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{}'))
  } catch {
    // Start without a draft if storage is blocked or another script has written to it.
    return {}
  }
}

function store(name: string, texts: object | null) {
  try {
    if (texts === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), JSON.stringify(texts))
  } catch {
    // Ignore blocked or full storage, because the form also works without a draft.
  }
}
