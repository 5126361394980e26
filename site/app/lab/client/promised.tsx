'use client'

import { type ReactNode, use } from 'react'

/** Waits for a promise that the server created and passed as a prop. */
export function Promised({ answer }: { answer: Promise<string> }): ReactNode {
  return <p className="stage">{use(answer)}</p>
}
