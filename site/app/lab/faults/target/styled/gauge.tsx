'use client'

import { type ReactNode, useState } from 'react'

/** A slider with its value: works once its script has come. */
export function Gauge(): ReactNode {
  const [value, setValue] = useState(40)
  return (
    <label className="field" data-lab="lab code: component">
      <span>
        Its script has come: <output>{value}</output>
      </span>
      <input
        type="range"
        value={value}
        onChange={(event) => setValue(Number(event.target.value))}
      />
    </label>
  )
}
