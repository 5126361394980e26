'use client'

import { type RefObject, useEffect, useState } from 'react'

/** The running upload of a form. */
export type Upload = {
  readonly sentBytes: number
  readonly totalBytes: number
  /** Share of the bytes that have been sent, from 0 to 1. */
  readonly share: number
  /** Stops the upload. The action doesn't run, and the form keeps its fields and files. */
  readonly cancel: () => void
}

/** Name of the event that a form gets while its files are sent. Its `detail` is the `Upload`, or `null` at the end. */
export const uploadEvent = 'waymark:upload'

/**
 * Returns the progress of the files that a form is sending to a server action; `null` before and
 * after that, and for forms without files.
 * @param form a ref of the `<form>` element
 */
export function useUpload(form: RefObject<HTMLFormElement | null>): Upload | null {
  const [upload, setUpload] = useState<Upload | null>(null)
  // Without a list of dependencies, because the ref may point to a different form after any render.
  useEffect(() => {
    const element = form.current
    if (!element) return
    // The cast is safe, because only `reportUpload` dispatches this event.
    const onUpload = (event: Event) => setUpload((event as CustomEvent<Upload | null>).detail)
    element.addEventListener(uploadEvent, onUpload)
    return () => element.removeEventListener(uploadEvent, onUpload)
  })
  return upload
}

/** Passes the progress of an upload to `useUpload`. */
export function reportUpload(form: HTMLFormElement, upload: Upload | null): void {
  form.dispatchEvent(new CustomEvent(uploadEvent, { detail: upload }))
}
