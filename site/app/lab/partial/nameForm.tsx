import type { ReactNode } from 'react'

/**
 * Form that sets the cookie that the hole reads. The response is a new document, because this is a plain
 * form.
 */
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
