import type { ReactNode } from 'react'

/** A field whose text a document load would lose. */
export function TypedField(): ReactNode {
  return (
    <form className="stage">
      <label className="field">
        <span>A form with something typed in it is not left by itself</span>
        <input type="text" name="typed" autoComplete="off" />
      </label>
    </form>
  )
}
