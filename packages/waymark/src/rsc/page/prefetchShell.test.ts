import { describe, expect, test, vi } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { matchedKeysOf, outlineOf } from '../../routing/testing/outline.ts'
import type { Stylesheet } from '../../wire/payload.ts'
import { assetsLine, cutAtLoading, mountedKeys } from './prefetchShell.ts'

// React's own runtime is not under test, and needs a bundler.
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

/** The key of what the main line ends with. */
function endKey(segment: MatchedSegment | null | undefined): string | undefined {
  return segment?.kind === 'folder' ? endKey(segment.slots.children) : segment?.key
}

describe('a route is cut', () => {
  test('at the first loading file that stands around nothing mounted', () => {
    expect(outlineOf(cut('/shop', '/') as MatchedSegment)).toBe('<built-in>')
    const item = matchedKeysOf(rootOf('/shop/items/1/more'))
    expect(item).toContain(endKey(cut('/shop/items/1/more', '/')))
    expect(endKey(cut('/shop/items/1/more', '/'))).not.toBe(item.at(-1))
    expect(endKey(cut('/shop/items/1/more', '/shop/items/1'))).toBe(item.at(-1))
  })

  test('where the segment is that payloads name, bare folders left out', () => {
    for (const pathname of ['/shop', '/shop/tools', '/shop/items/1']) {
      const whole = mountedKeys(rootOf(pathname))
      expect([pathname, whole.has(endKey(cut(pathname, '/')) ?? '')]).toEqual([pathname, true])
    }
    expect(endKey(cut('/shop/tools', '/'))).toBe(endKey(rootOf('/shop/tools')))
  })

  test('in its slots, too; what a slot shows already is left out', () => {
    expect(outlineOf(cut('/board/note', '/') as MatchedSegment)).toEqual({
      children: '<built-in>',
      side: 'board/@side/note/page.tsx',
      feed: 'board/@feed/default.tsx',
    })
    expect(outlineOf(cut('/board/note', '/board/note') ?? rootOf('/plain'))).toBe('plain/page.tsx')
  })
})

describe('there is nothing to show ahead', () => {
  test.each([
    ['no loading file around the page', '/plain', '/'],
    ['none around it, only in a slot beside it', '/board', '/'],
    ['the page is on the screen', '/shop', '/shop'],
  ])('%s', (_, pathname, from) => {
    expect(cut(pathname, from)).toBeNull()
  })
})

test('the files of a route are named once each, with their hashes, and not without end', () => {
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
