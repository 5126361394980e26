'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'

/** The pathname as the browser has it. */
export function Address(): ReactNode {
  return (
    <>
      usePathname() says <code>{usePathname()}</code>.
    </>
  )
}
