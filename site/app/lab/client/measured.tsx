'use client'

import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/** A box that measures its width, and a field that a button focuses. */
export function Measured(): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [width, setWidth] = useState<number | null>(null)

  useLayoutEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? null))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  return (
    <div ref={box} className="stage">
      <p>
        This box is <strong>{width === null ? '…' : Math.round(width)}</strong> px wide inside.
      </p>
      <p className="controls">
        <label className="field">
          <span>A field</span>
          <input ref={field} type="text" autoComplete="off" />
        </label>
        <button type="button" className="button" onClick={() => field.current?.focus()}>
          Focus it
        </button>
      </p>
    </div>
  )
}
