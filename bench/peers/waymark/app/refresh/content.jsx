'use client'
import { Link, useRouter } from 'waymark'
import { RefreshContent } from '../../shared/refresh.tsx'

export function Content() {
  const router = useRouter()
  return <RefreshContent refresh={() => router.refresh()} Link={Link} />
}
