import type { ReactNode } from 'react'

/** Sets the cookie that the hole reads. A plain form, so its response is a new document. */
export function NameForm(): ReactNode {
  return (
    <form method="post" action="/lab/partial/cookie" className="controls">
      <label className="field">
        <span>Your name</span>
        <input name="name" maxLength={60} autoComplete="off" />
      </label>
      <button type="submit" className="button">
        Save
      </button>
    </form>
  )
}
