'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { useRouter } from 'waymark/client'

/** A modal dialog that is open for as long as its URL is; Escape, Back and the button close it. */
export function Dialog({ label, children }: { label: string; children: ReactNode }) {
  const { back } = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        // Without its URL it would come back with the next look at the page.
        event.preventDefault()
        back()
      }}
    >
      <button type="button" className="close quiet" onClick={back}>
        Close
      </button>
      {children}
    </dialog>
  )
}
