'use client'

import { type ReactNode, useState } from 'react'

/** A slider that shows its value as soon as its script has loaded. */
export function Gauge(): ReactNode {
  const [value, setValue] = useState(40)
  return (
    <label className="field" data-lab="lab code: component">
      <span>
        Works when its script has loaded: <output>{value}</output>
      </span>
      <input
        type="range"
        value={value}
        onChange={(event) => setValue(Number(event.target.value))}
      />
    </label>
  )
}
