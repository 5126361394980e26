'use client'

import { echo } from './actions.ts'

export function Button() {
  return (
    <button type="button" onClick={() => echo(1)}>
      Echo
    </button>
  )
}
