'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'

const displayedForMs = 1600

/** A button that copies the code of the surrounding figure. */
export function CopyButton({ className }: { className?: string | undefined }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), displayedForMs)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    const code = button.current?.closest('figure')?.querySelector('pre')?.textContent
    if (!code) return
    await navigator.clipboard.writeText(code)
    setCopied(true)
  }

  return (
    <button ref={button} type="button" className={className} onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </button>
  )
}
