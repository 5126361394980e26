'use client'

import { type ReactNode, useRef, useState } from 'react'

/** Shows a stream as it arrives. */
export function Ticks(): ReactNode {
  const [text, setText] = useState('')
  const [running, setRunning] = useState(false)
  const controller = useRef<AbortController>(null)

  async function start() {
    controller.current = new AbortController()
    setText('')
    setRunning(true)
    try {
      const response = await fetch('/lab/handlers/ticks', { signal: controller.current.signal })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        const { value } = read
        setText((before) => before + value)
      }
    } catch {
      setText((before) => `${before}Stopped.\n`)
    }
    setRunning(false)
  }

  return (
    <div className="stage">
      <p className="controls">
        <button type="button" className="button" onClick={start} disabled={running}>
          Start
        </button>
        <button
          type="button"
          className="button"
          onClick={() => controller.current?.abort()}
          disabled={!running}
        >
          Stop
        </button>
      </p>
      <pre className="console" aria-live="polite">
        {text || 'Nothing yet.'}
      </pre>
    </div>
  )
}
