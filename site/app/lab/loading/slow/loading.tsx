import type { ReactNode } from 'react'

export default function SlowLoading(): ReactNode {
  return (
    <>
      <h1>Loading…</h1>
      <p>This screen is loading.tsx. The page is still waiting on the server.</p>
    </>
  )
}
