import type { ReactNode } from 'react'
import { connection } from 'waymark/server'
import { Stamp } from '../stamp.tsx'

export default async function Each(): Promise<ReactNode> {
  await connection()
  return <Stamp title="A dynamic page" />
}
