'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { useRouter } from 'waymark/client'

type Props = { readonly label: string; readonly close: string; readonly children: ReactNode }

/** Modal dialog with its own URL. Escape, the button and going back close it. */
export function Dialog({ label, close, children }: Props) {
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
        // Go back instead of only closing the dialog. Otherwise the URL would open it again.
        event.preventDefault()
        back()
      }}
    >
      {children}
      <button type="button" className="close" aria-label={close} onClick={back}>
        ×
      </button>
    </dialog>
  )
}
