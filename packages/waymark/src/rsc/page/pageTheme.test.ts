import { expect, test } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedFolder } from '../../routing/matchedSegments.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { type RouteThemeSource, themeOfRoute } from './pageTheme.ts'
import type { RouteModule } from './routeModules.ts'

const files: Readonly<Record<string, RouteModule>> = {
  'layout.tsx': {},
  'page.tsx': {},
  'night/layout.tsx': { theme: 'dark' },
  'night/page.tsx': {},
  'night/day/page.tsx': { theme: 'light' },
  'night/odd/page.tsx': { theme: 'purple' },
  'night/object/page.tsx': { theme: { palette: 'light' } },
  'night/@side/page.tsx': { theme: 'light' },
  'night/@side/default.tsx': { theme: 'light' },
}

const matcher = createMatcher(buildRouteTree(Object.keys(files)))

const source = {
  fileOf: (file: string) => ({ file, module: files[file] ?? {} }),
  isTheme: (value: unknown): value is string => value === 'light' || value === 'dark',
} as unknown as RouteThemeSource

const rootOf = (pathname: string) => {
  const match = matcher.match(pathname)
  if (match?.root.kind !== 'folder') throw new Error(`${pathname} has no folder`)
  return match.root
}

function folder(root: MatchedFolder, id: string): MatchedFolder {
  for (let at = root; ; ) {
    if (at.node.id === id) return at
    const next = at.slots.children
    if (next?.kind !== 'folder') throw new Error(`${id} is not on the line`)
    at = next
  }
}

test.each([
  ['/', null],
  ['/night', 'dark'],
  ['/night/day', 'light'],
  ['/night/odd', 'dark'],
  ['/night/object', 'dark'],
] as const)('%s has the theme %s', (pathname, theme) => {
  expect(themeOfRoute(rootOf(pathname), source)).toBe(theme)
})

test('the theme of a part that a screen replaces does not count', () => {
  const root = rootOf('/night/day')
  const night = folder(root, 'night')
  expect(themeOfRoute(root, source, { segment: night, slot: 'children' })).toBe('dark')
  expect(themeOfRoute(root, source, { segment: root, slot: 'children' })).toBe(null)
})

test("a screen in another slot does not change the page's theme", () => {
  const root = rootOf('/night/day')
  const night = folder(root, 'night')
  expect(themeOfRoute(root, source, { segment: night, slot: 'side' })).toBe('light')
})
