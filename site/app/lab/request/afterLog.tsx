'use client'

import { type ReactNode, useState } from 'react'

/** Starts work that continues after the response, and shows the server's log. */
export function AfterLog(): ReactNode {
  const [lines, setLines] = useState<readonly string[]>([])

  async function start() {
    const startedAt = performance.now()
    const { status } = await fetch('/lab/request/after', { method: 'POST' })
    const took = Math.round(performance.now() - startedAt)
    setLines([`The response ${status} arrived after ${took} ms`])
    await new Promise((resolve) => setTimeout(resolve, 900))
    const log = (await (await fetch('/lab/request/after')).json()) as string[]
    setLines((before) => [...before, ...log])
  }

  return (
    <div className="stage">
      <p className="controls">
        <button type="button" className="button" onClick={start}>
          Respond, then work
        </button>
      </p>
      <pre className="console" aria-live="polite">
        {lines.join('\n') || 'Nothing yet.'}
      </pre>
    </div>
  )
}
