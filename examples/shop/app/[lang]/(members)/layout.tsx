import type { ReactNode } from 'react'
import { unauthorized } from 'waymark'
import { readUser } from '../../../session.ts'

/** Guards every page and every action below: `unauthorized.tsx` is shown to anybody else. */
export default async function Members({ children }: { children: ReactNode }) {
  if (!(await readUser())) unauthorized()
  return children
}
