import { expect, test, vi } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import { buildRouteTree } from '../../routing/routeTree.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionList.ts'
import { resolveAction } from './authorize.ts'

// React's own runtime is not under test, and needs a bundler.
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

/** Whether an action is admitted at an intercepted URL, and whether the background was asked for. */
async function admitOver(id: string, isOpen: boolean) {
  const match = matcher.match('/photo/1', { from: '/admin' })
  const ask = vi.fn(async () => isOpen)
  const admitted = await resolveAction(id, { match } as unknown as PageRequest, app, ask)
  return { isAdmitted: admitted !== null, isAsked: ask.mock.calls.length > 0 }
}

test.each([
  ['a#remove', true, { isAdmitted: true, isAsked: true }],
  ['a#remove', false, { isAdmitted: false, isAsked: true }],
  ['a#like', false, { isAdmitted: true, isAsked: false }],
  ['a#both', false, { isAdmitted: true, isAsked: false }],
  ['a#unknown', true, { isAdmitted: false, isAsked: false }],
])('%s over a background that is open: %s', async (id, isOpen, expected) => {
  expect(await admitOver(id, isOpen)).toEqual(expected)
})
