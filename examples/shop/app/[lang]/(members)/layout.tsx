import type { ReactNode } from 'react'
import { unauthorized } from 'waymark'
import { readUser } from '../../../session.ts'

/** Guards all pages and actions below. Visitors who aren't signed in see `unauthorized.tsx`. */
export default async function Members({ children }: { children: ReactNode }) {
  if (!(await readUser())) unauthorized()
  return children
}
