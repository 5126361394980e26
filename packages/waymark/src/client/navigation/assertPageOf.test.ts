import { expect, test, vi } from 'vitest'
import type { Payload } from '../../wire/payload.ts'
import { assertPageOf } from './fetchPage.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

test.each([
  ['/a', '/a', true],
  ['/b', '/a', false],
  ['/', '/a', false],
  ['/a/', '/a', true],
  ['/a', '/a/', true],
  ['/caf%C3%A9', '/café', true],
  ['/100%', '/100%', true],
  // Queries may differ, because a static page doesn't know its query, and caches sort parameters or
  // remove some.
  ['/a', '/a?x=1', true],
  ['/a?x=1', '/a?x=1', true],
  ['/a?x=1&y=2', '/a?y=2&utm_source=b&x=1', true],
  ['/a?q=a+b', '/a?q=a%20b', true],
  ['/a?x=1', '/a?x=2', false],
  ['/a?x=1', '/a', false],
])('data of %s is the page of %s: %s', (rendered, requested, expected) => {
  expect(isAccepted(rendered, requested)).toBe(expected)
})

test.each([
  ['one', 'one', true],
  ['one', 'two', false],
  ['one', null, true],
  [undefined, 'one', true],
] as const)('data of build %s with the header %s is accepted: %s', (rendered, header, expected) => {
  expect(isAccepted('/a', '/a', { rendered, header })).toBe(expected)
})

function isAccepted(
  page: string,
  requested: string,
  build: { rendered?: string | undefined; header: string | null } = { header: null },
): boolean {
  const [pathname = '', query] = page.split('?')
  const search = query === undefined ? '' : `?${query}`
  const payload: Payload = {
    tree: { key: '/' },
    route: { pathname, search, params: {} },
    head: null,
    segments: {},
    ...(build.rendered ? { build: build.rendered } : {}),
  }
  try {
    assertPageOf(payload, new URL(requested, 'https://a.example'), build.header)
    return true
  } catch {
    return false
  }
}
