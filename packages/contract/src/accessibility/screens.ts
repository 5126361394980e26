import { posix } from 'node:path'
import type { BuildFacts, RouteFacts, ScreenFacts } from '../build/buildFacts.ts'

/** A file of the app that replaces pages in one state, with the pages for which it is the nearest. */
export type Screen = ScreenFacts & {
  /** Such as `error /board`. */
  readonly name: string
  readonly pages: readonly RouteFacts[]
}

/** Lists the app's screens. A screen that no page shows has no pages. */
export function listScreens({ routes }: Pick<BuildFacts, 'routes'>): Screen[] {
  const found = new Map<string, ScreenFacts & { readonly pages: RouteFacts[] }>()
  for (const page of routes) {
    for (const screen of page.screens) {
      const each = found.get(screen.file) ?? { ...screen, pages: [] }
      found.set(screen.file, each)
      if (nearestScreen(page, screen.role)?.file === screen.file) each.pages.push(page)
    }
  }
  const screens = [...found.values()]
  const titles = screens.map(titleOf)
  return screens.map((screen) => {
    const title = titleOf(screen)
    const isUnique = titles.indexOf(title) === titles.lastIndexOf(title)
    // Groups aren't part of a pattern, so they tell screens with the same pattern apart.
    return { ...screen, name: isUnique ? title : `${title} in ${groupsOf(screen)}` }
  })
}

/** Returns the screen that replaces a page in a state. */
function nearestScreen({ screens }: RouteFacts, role: ScreenFacts['role']): ScreenFacts | null {
  return screens.filter((each) => each.role === role).at(-1) ?? null
}

function titleOf({ role, pattern }: ScreenFacts): string {
  return `${role} ${pattern}`
}

function groupsOf({ file }: ScreenFacts): string {
  const groups = posix
    .dirname(file)
    .split('/')
    .filter((name) => name.startsWith('('))
  return groups.join(' ') || 'no group'
}
