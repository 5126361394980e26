import { expect, test, vi } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { guardsOf } from './authorize.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const matcher = createMatcher(
  buildRouteTree([
    'layout.tsx',
    'admin/layout.tsx',
    'admin/page.tsx',
    'photo/[id]/page.tsx',
    '@modal/default.tsx',
    '@modal/(.)photo/[id]/layout.tsx',
    '@modal/(.)photo/[id]/page.tsx',
  ]),
)

/** Returns the layouts and the page that guard an action at a URL, if one file imports the action. */
function standingOf(pathname: string, from: string | undefined, file: string) {
  const root = matcher.match(pathname, { from })?.root
  const standing = root && guardsOf(root, [file])
  return standing?.map((each) => each.file) ?? null
}

const admin = ['layout.tsx', 'admin/layout.tsx', 'admin/page.tsx']
const modal = '@modal/(.)photo/[id]'
const photo = ['layout.tsx', `${modal}/layout.tsx`, `${modal}/page.tsx`]

test.each<[string, string | undefined, string, string[] | null]>([
  ['/admin', undefined, 'admin/page.tsx', admin],
  ['/photo/1', undefined, 'admin/page.tsx', null],
  ['/photo/1', '/admin', 'admin/page.tsx', admin],
  ['/photo/1', '/admin', 'layout.tsx', ['layout.tsx']],
  ['/photo/1', '/admin', `${modal}/page.tsx`, photo],
])('at %s from %s: %s has the guards %j', (pathname, from, file, expected) => {
  expect(standingOf(pathname, from, file)).toEqual(expected)
})

test('of several files, the one with the fewest guards counts', () => {
  const root = matcher.match('/admin')?.root
  const standing = root && guardsOf(root, ['admin/page.tsx', 'admin/layout.tsx'])
  expect(standing?.map(({ file }) => file)).toEqual(admin.slice(0, 2))
})
