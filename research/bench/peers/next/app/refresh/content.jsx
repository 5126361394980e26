'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { RefreshContent } from '../../shared/refresh.tsx'

export function Content() {
  const router = useRouter()
  return <RefreshContent refresh={() => router.refresh()} Link={Link} />
}
