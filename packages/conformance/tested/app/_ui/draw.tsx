'use client'

import { useState } from 'react'

export function Draw({ draw }: { draw: () => Promise<number> }) {
  const [drawn, setDrawn] = useState(0)
  return (
    <button type="button" onClick={async () => setDrawn(await draw())}>{`drawn ${drawn}`}</button>
  )
}
