'use client'

import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { usePathname } from 'waymark/client'

const foldedKey = 'menu-folded'
/** In narrower windows, the menu opens over the page: see sectionMenu.module.css. */
const besideThePage = '(width >= 60rem)'

type FoldingMenuProps = { className?: string | undefined; summary: ReactNode; children: ReactNode }

/** A menu that remembers if it's folded. On narrow screens, a navigation closes it. */
export function FoldingMenu({ className, summary, children }: FoldingMenuProps): ReactNode {
  const menu = useRef<HTMLDetailsElement>(null)
  const pathname = usePathname()
  useLayoutEffect(() => {
    if (menu.current && matchMedia(besideThePage).matches) menu.current.open = !readFolded()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again on each page
  useEffect(() => {
    const popover = menu.current?.closest<HTMLElement>(':popover-open')
    popover?.hidePopover()
  }, [pathname])
  return (
    <details
      ref={menu}
      open
      className={className}
      onToggle={({ currentTarget }) => storeFolded(!currentTarget.open)}
    >
      {summary}
      {children}
    </details>
  )
}

function readFolded(): boolean {
  try {
    return localStorage.getItem(foldedKey) !== null
  } catch {
    return false
  }
}

function storeFolded(isFolded: boolean): void {
  try {
    if (isFolded) localStorage.setItem(foldedKey, '1')
    else localStorage.removeItem(foldedKey)
  } catch {
    // Ignore blocked storage. The menu is then unfolded after each page load.
  }
}
