import type { ReactNode } from 'react'

/** A field whose text would be lost if the document were loaded. */
export function TypedField(): ReactNode {
  return (
    <form className="stage">
      <label className="field">
        <span>Type something here, and the page isn’t left automatically</span>
        <input type="text" name="typed" autoComplete="off" />
      </label>
    </form>
  )
}
