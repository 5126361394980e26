import type { ReactNode } from 'react'

export default function SlowLoading(): ReactNode {
  return (
    <>
      <h1>Loading…</h1>
      <p>This is loading.tsx. The page behind it is still waiting.</p>
    </>
  )
}
