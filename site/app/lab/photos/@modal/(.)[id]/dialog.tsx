'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { useRouter } from 'waymark/client'
import styles from './dialog.module.css'

/** A modal dialog that closes by going back. */
export function Dialog({ title, children }: { title: string; children: ReactNode }): ReactNode {
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
      className={styles.dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        back()
      }}
    >
      {children}
      <div className={styles.foot}>
        <strong>{title}</strong>
        <button type="button" className="button" onClick={back}>
          Close
        </button>
      </div>
    </dialog>
  )
}
