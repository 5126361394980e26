'use client'

import { type ReactNode, useState } from 'react'

const sizes = [1, 8, 32]

/** Buttons that send some megabytes. */
export function Upload(): ReactNode {
  const [status, setStatus] = useState('Nothing yet.')

  async function send(megabytes: number) {
    setStatus('Sending…')
    const startedAt = performance.now()
    const body = new Blob([new Uint8Array(megabytes * 1024 * 1024)])
    const response = await fetch('/lab/handlers/count', { method: 'POST', body })
    const text = response.ok ? await response.text() : `status ${response.status}`
    setStatus(`${text} in ${Math.round(performance.now() - startedAt)} ms`)
  }

  return (
    <div className="stage">
      <p className="controls">
        {sizes.map((megabytes) => (
          <button key={megabytes} type="button" className="button" onClick={() => send(megabytes)}>
            Send {megabytes} MB
          </button>
        ))}
      </p>
      <pre className="console" aria-live="polite">
        {status}
      </pre>
    </div>
  )
}
