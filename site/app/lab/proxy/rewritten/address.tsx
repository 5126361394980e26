'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'

/** Shows the pathname of the browser. */
export function Address(): ReactNode {
  return (
    <>
      usePathname() returns <code>{usePathname()}</code>.
    </>
  )
}
