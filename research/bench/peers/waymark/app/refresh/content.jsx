'use client'
import { Link } from 'waymark'
import { useRouter } from 'waymark/client'
import { RefreshContent } from '../../shared/refresh.tsx'

export function Content() {
  const router = useRouter()
  return <RefreshContent refresh={() => router.refresh()} Link={Link} />
}
