import { describe, expect, test, vi } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { matchedKeysOf, outlineOf } from '../../routing/testing/outline.ts'
import type { Stylesheet } from '../../wire/payload.ts'
import { assetsLine, cutAtLoading, mountedKeys } from './prefetchShell.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const files = [
  'layout.tsx',
  'page.tsx',
  'plain/page.tsx',
  'shop/layout.tsx',
  'shop/loading.tsx',
  'shop/page.tsx',
  'shop/(list)/[kind]/page.tsx',
  'shop/items/[id]/layout.tsx',
  'shop/items/[id]/loading.tsx',
  'shop/items/[id]/page.tsx',
  'shop/items/[id]/more/page.tsx',
  'board/layout.tsx',
  'board/@side/page.tsx',
  'board/@side/note/page.tsx',
  'board/@side/default.tsx',
  'board/@feed/loading.tsx',
  'board/@feed/page.tsx',
  'board/@feed/default.tsx',
  'board/page.tsx',
  'board/note/loading.tsx',
  'board/note/page.tsx',
]
const matcher = createMatcher(buildRouteTree(files))

function rootOf(pathname: string): MatchedSegment {
  const match = matcher.match(pathname)
  if (!match) throw new Error(`no route answers ${pathname}`)
  return match.root
}

function cut(pathname: string, from: string) {
  return cutAtLoading(rootOf(pathname), mountedKeys(rootOf(from)))
}

/** Returns the key of the innermost segment along `children`. */
function endKey(segment: MatchedSegment | null | undefined): string | undefined {
  return segment?.kind === 'folder' ? endKey(segment.slots.children) : segment?.key
}

describe('a route is cut', () => {
  test('at the first loading file around a segment that is not mounted', () => {
    expect(outlineOf(cut('/shop', '/') as MatchedSegment)).toBe('<built-in>')
    const item = matchedKeysOf(rootOf('/shop/items/1/more'))
    expect(item).toContain(endKey(cut('/shop/items/1/more', '/')))
    expect(endKey(cut('/shop/items/1/more', '/'))).not.toBe(item.at(-1))
    expect(endKey(cut('/shop/items/1/more', '/shop/items/1'))).toBe(item.at(-1))
  })

  test('at the segment that payloads name, without bare folders', () => {
    for (const pathname of ['/shop', '/shop/tools', '/shop/items/1']) {
      const whole = mountedKeys(rootOf(pathname))
      expect([pathname, whole.has(endKey(cut(pathname, '/')) ?? '')]).toEqual([pathname, true])
    }
    expect(endKey(cut('/shop/tools', '/'))).toBe(endKey(rootOf('/shop/tools')))
  })

  test('in its slots, too, but not around content that a slot already shows', () => {
    expect(outlineOf(cut('/board/note', '/') as MatchedSegment)).toEqual({
      children: '<built-in>',
      side: 'board/@side/note/page.tsx',
      feed: 'board/@feed/default.tsx',
    })
    expect(outlineOf(cut('/board/note', '/board/note') ?? rootOf('/plain'))).toBe('plain/page.tsx')
  })
})

describe('there is no shell to prefetch if', () => {
  test.each([
    ['the page has no loading file around it', '/plain', '/'],
    ['only a parallel slot has a loading file', '/board', '/'],
    ['the page is already on the screen', '/shop', '/shop'],
  ])('%s', (_, pathname, from) => {
    expect(cut(pathname, from)).toBeNull()
  })
})

test('each file of a route is named once, with its hash, up to a limit', () => {
  const assets: Record<string, readonly Stylesheet[]> = {
    'layout.tsx': [['/l.css', 'sha384-x']],
    'plain/page.tsx': [['/p.js'], ['/p.js'], ['/p.css']],
    'shop/page.tsx': Array.from({ length: 90 }, (_, index): Stylesheet => [`/${index}.js`]),
  }
  const lineOf = (pathname: string, of = assets) =>
    assetsLine(rootOf(pathname), { assetsOf: (file) => of[file] ?? [] })
  expect(lineOf('/plain')).toEqual([['waymark-assets', '/l.css#sha384-x /p.js /p.css']])
  expect(lineOf('/shop')[0]?.[1].split(' ').length).toBe(40)
  expect(lineOf('/', {})).toEqual([])
})
