import type { ReactNode } from 'react'

/** Sets and deletes a cookie: plain forms, without a line of script. */
export function CookieForm({ value }: { value: string | null }): ReactNode {
  return (
    <div className="stage">
      <p>
        The cookie <code>lab-note</code>{' '}
        {value === null ? (
          'is not set.'
        ) : (
          <>
            says <strong>{value}</strong>.
          </>
        )}
      </p>
      <div className="controls">
        <form method="post" action="/lab/request/cookie" className="controls">
          <label className="field">
            <span>A note</span>
            <input name="note" required maxLength={200} defaultValue="Znüni um neun" />
          </label>
          <button type="submit" className="button">
            Set it
          </button>
        </form>
        <form method="post" action="/lab/request/cookie">
          <button type="submit" className="button">
            Delete it
          </button>
        </form>
      </div>
    </div>
  )
}
