import type { ReactNode } from 'react'

/** A form for the three delays. */
export function Delays({ delays }: { delays: readonly number[] }): ReactNode {
  return (
    <form className="controls">
      {delays.map((ms, index) => {
        const name = 'abc'[index] ?? ''
        return (
          <label key={name} className="field">
            <span>{name.toUpperCase()}, in ms</span>
            <input name={name} type="number" min={0} max={10000} step={100} defaultValue={ms} />
          </label>
        )
      })}
      <button type="submit" className="button">
        Load
      </button>
    </form>
  )
}
