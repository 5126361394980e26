import { setTimeout as sleep } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { cookies } from 'waymark/server'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { nameCookie } from './nameCookie.ts'

/** Reads the visitor's cookie after two seconds. */
export async function Greeting(): Promise<ReactNode> {
  const name = (await cookies()).get(nameCookie)?.value
  await sleep(2000)
  return (
    <p>
      {name === undefined ? 'You have no name yet' : <strong>{name}</strong>}
      {', at '}
      <RenderedAt />
    </p>
  )
}
