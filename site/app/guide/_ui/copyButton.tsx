'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../_ui/useLanguage.ts'

const displayedForMs = 1600

const texts = {
  en: { copy: 'Copy', copied: 'Copied' },
  de: { copy: 'Kopieren', copied: 'Kopiert' },
}

/** A button that copies the code of the surrounding figure. */
export function CopyButton({ className }: { className?: string | undefined }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const language = useLanguage()
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
      <span lang={language} aria-live="polite">
        {copied ? texts[language].copied : texts[language].copy}
      </span>
    </button>
  )
}
