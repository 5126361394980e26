import type { ReactNode } from 'react'

/** Plain forms that set and delete a cookie without scripts. */
export function CookieForm({ value }: { value: string | null }): ReactNode {
  return (
    <div className="stage">
      <p>
        The cookie <code>lab-note</code>{' '}
        {value === null ? (
          'isn’t set.'
        ) : (
          <>
            is <strong>{value}</strong>.
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
            Set
          </button>
        </form>
        <form method="post" action="/lab/request/cookie">
          <button type="submit" className="button">
            Delete
          </button>
        </form>
      </div>
    </div>
  )
}
