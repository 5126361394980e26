import { expect, test, vi } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { type ActionApp, resolveAction } from './authorize.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const matcher = createMatcher(
  buildRouteTree([
    'layout.tsx',
    'admin/page.tsx',
    'photo/[id]/page.tsx',
    '@modal/default.tsx',
    '@modal/(.)photo/[id]/page.tsx',
  ]),
)
const files: Record<string, string[]> = {
  'a#remove': ['admin/page.tsx'],
  'a#like': ['@modal/(.)photo/[id]/page.tsx'],
  'a#both': ['admin/page.tsx', '@modal/(.)photo/[id]/page.tsx'],
}
const app = {
  actions: {
    find: (id: string) => (files[id] ? { id, files: files[id] } : null),
    load: () => () => 'run',
  },
  actionSettings: {},
} as unknown as ActionApp

test.each([
  ['a#remove', '/admin', true],
  ['a#remove', undefined, false],
  ['a#like', '/admin', true],
  ['a#both', '/admin', true],
  ['a#unknown', '/admin', false],
])('%s over the page %s: %s', async (id, from, expected) => {
  const match = matcher.match('/photo/1', { from })
  const admitted = await resolveAction(id, { match } as unknown as PageRequest, app)
  expect(admitted !== null).toBe(expected)
})
