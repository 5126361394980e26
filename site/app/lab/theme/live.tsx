'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { useTheme } from 'waymark/client'

const garbage = '{"not": a theme'

/** What is stored, what the system says, and what comes of both. */
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
        <dt>forced by the route</dt>
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
          Store garbage, reload
        </button>
      </p>
    </div>
  )
}

// It is read in each render, and each change of the theme causes one.
function noChanges(): () => void {
  return () => {}
}

function readStored(): string {
  try {
    return localStorage.getItem('theme') ?? '(nothing)'
  } catch {
    return '(not to be read)'
  }
}

function storeGarbage(): void {
  localStorage.setItem('theme', garbage)
  location.reload()
}
