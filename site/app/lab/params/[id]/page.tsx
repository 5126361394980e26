import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Echo } from '../echo.tsx'

export const metadata: Metadata = { title: 'Params' }

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[]>>
}

export default async function Page({ params, searchParams }: Props): Promise<ReactNode> {
  return <Echo params={await params} searchParams={await searchParams} />
}
