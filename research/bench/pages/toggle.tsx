'use client'
import { useState } from 'react'

/** Client code that no other page of the app uses. */
export function Toggle() {
  const [isOn, setOn] = useState(false)
  return (
    <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
      Toggle
    </button>
  )
}
