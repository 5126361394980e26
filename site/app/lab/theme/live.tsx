'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { useTheme } from 'waymark/client'

const garbage = '{"not": a theme'

/** Shows the stored theme, the theme of the system, and the result. */
export function Live(): ReactNode {
  const { preference, system, resolved, forced, setPreference } = useTheme()
  const stored = useSyncExternalStore(noChanges, readStored, () => '…')
  return (
    <div className="stage">
      <dl className="facts">
        <dt>local storage</dt>
        <dd>
          <code>{stored}</code>
        </dd>
        <dt>preference</dt>
        <dd>{preference}</dd>
        <dt>system</dt>
        <dd>{system}</dd>
        <dt>forced by the page</dt>
        <dd>{forced ?? 'no'}</dd>
        <dt>result</dt>
        <dd>
          <strong>{resolved}</strong>
        </dd>
      </dl>
      <p className="controls">
        {['light', 'dark', 'system'].map((name) => (
          <button
            key={name}
            type="button"
            className="button"
            aria-pressed={preference === name}
            onClick={() => setPreference(name)}
          >
            {name}
          </button>
        ))}
        <button type="button" className="button" onClick={storeGarbage}>
          Store garbage and reload
        </button>
      </p>
    </div>
  )
}

// Read the storage in each render, because every change of the theme renders this component.
function noChanges(): () => void {
  return () => {}
}

function readStored(): string {
  try {
    return localStorage.getItem('theme') ?? '(nothing)'
  } catch {
    return '(unreadable)'
  }
}

function storeGarbage(): void {
  localStorage.setItem('theme', garbage)
  location.reload()
}
