import { expect, test } from 'vitest'
import type { BuildFacts, RouteFacts } from '../build/buildFacts.ts'
import { listCallers } from './callers.ts'

function pageOf(pattern: string, file: string): RouteFacts {
  return { pattern, kind: 'page', file, layouts: [], screens: [], exports: [], pathnames: [] }
}

const routes = [
  pageOf('/', 'app/page.tsx'),
  pageOf('/orders/[id]', 'app/(members)/orders/[id]/page.tsx'),
  pageOf('/account', 'app/(members)/account/page.tsx'),
  pageOf('/photos/[id]', 'app/photos/[id]/page.tsx'),
]

function callersOf(...routeFiles: readonly string[]) {
  const facts: BuildFacts = {
    version: 1,
    basePath: '',
    appDir: 'app',
    routes,
    interceptions: [
      {
        pattern: '/photos/[id]',
        from: '/',
        file: 'app/@modal/(.)photos/[id]/page.tsx',
        layouts: [],
      },
    ],
    proxy: null,
    actions: [],
    clientModules: {},
    imports: {},
  }
  const action = { id: 'k#save', name: 'save', file: 'save.ts', routeFiles }
  return listCallers(action, facts).map(({ name, pages, from }) => ({
    name,
    patterns: pages.map(({ pattern }) => pattern),
    from,
  }))
}

test('a page can call its actions', () => {
  expect(callersOf('app/(members)/orders/[id]/page.tsx')).toEqual([
    { name: '/orders/[id]', patterns: ['/orders/[id]'], from: null },
  ])
})

test('all pages of a layout can call its actions', () => {
  expect(callersOf('app/layout.tsx')).toEqual([
    { name: 'any page', patterns: routes.map(({ pattern }) => pattern), from: null },
  ])
  expect(callersOf('app/photos/[id]/error.tsx')).toEqual([
    { name: 'any page below /photos/[id]', patterns: ['/photos/[id]'], from: null },
  ])
})

test('the layout of a route group is named by one of its pages', () => {
  expect(callersOf('app/(members)/layout.tsx')).toEqual([
    { name: 'pages like /account', patterns: ['/orders/[id]', '/account'], from: null },
  ])
})

test('an intercepting page calls from where the navigation starts', () => {
  expect(callersOf('app/@modal/(.)photos/[id]/page.tsx')).toEqual([
    { name: 'preview /photos/[id] from /', patterns: ['/photos/[id]'], from: '/' },
  ])
})

test("a slot's files belong to the slot's layout", () => {
  const [caller] = callersOf('app/@menu/default.tsx')
  expect(caller?.name).toBe('any page')
})
