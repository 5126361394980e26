import { expect, test } from 'vitest'
import type { RouteManifest } from '../builds/buildManifest.ts'
import { formatBytes, routesTable } from './routesCommand.ts'

const plain = (text: string) => text
const paint = { bold: plain, dim: plain, red: plain, green: plain, cyan: plain }

function facts(pattern: string, rest: Partial<RouteManifest> = {}): RouteManifest {
  return {
    pattern,
    kind: 'page',
    file: 'page.tsx',
    rendering: { kind: 'static', count: 1, revalidateSeconds: null },
    rendersOthers: false,
    sizes: { pageJs: 0, sharedJs: 70_000, idleJs: 110_000, html: 900 },
    ...rest,
  }
}

const sizes = { pageJs: 1_250, sharedJs: 70_000, idleJs: 111_250, html: 2_400 }

test('lists pattern, rendering and sizes in columns', () => {
  const lines = routesTable(
    [
      facts('/'),
      facts('/blog/[slug]', {
        rendering: { kind: 'static', count: 12, revalidateSeconds: 60 },
        sizes,
      }),
      facts('/account', {
        rendering: { kind: 'dynamic', reason: 'uses cookies()' },
        sizes: { ...sizes, html: null },
      }),
      facts('/api', {
        kind: 'route',
        rendering: { kind: 'dynamic', reason: 'not force-static' },
        sizes: null,
      }),
    ],
    null,
    paint,
  )
  expect(lines).toEqual([
    '    Route         Rendering                                 Page JS  Shared JS  Idle JS   HTML',
    '  ○ /             static                                    0 B      70.0 kB    110.0 kB  900 B',
    '  ○ /blog/[slug]  static, 12 pages, revalidated after 60 s  1.3 kB   70.0 kB    111.3 kB  2.4 kB',
    '  ƒ /account      dynamic: uses cookies()                   1.3 kB   70.0 kB    111.3 kB',
    '  ƒ /api          route handler, dynamic: not force-static',
    '',
    '  ○ static: rendered at build time',
    '  ƒ dynamic: rendered for each request',
    '  Sizes are after Brotli compression. "Page JS" is the JavaScript that no other route loads.',
    '  A page needs its own and the shared JavaScript to become interactive. "Idle JS" includes the',
    '  code that loads later, when the browser is idle. It is the most that the page may load.',
  ])
})

test('shows changes since the previous build', () => {
  const changed = { pageJs: 50, sharedJs: 72_500, idleJs: 110_000, html: 905 }
  const lines = routesTable(
    [facts('/', { sizes: changed }), facts('/new', { file: 'new/page.tsx' })],
    [facts('/', { sizes: { ...sizes, html: 900 } }), facts('/old', { file: 'old/page.tsx' })],
    paint,
  )
  expect(lines.slice(1, 6)).toEqual([
    '  ○ /      static     50 B (−1.2 kB)  72.5 kB (+2.5 kB)  110.0 kB (−1.3 kB)  905 B',
    '  ○ /new   static     0 B             70.0 kB            110.0 kB            900 B',
    '',
    '  New since the last build: /new',
    '  Removed since the last build: /old',
  ])
})

test('shows no change of a size that the previous build did not measure', () => {
  const older = { pageJs: 0, sharedJs: 71_000, html: 900 }
  const [, line] = routesTable([facts('/')], [{ ...facts('/'), sizes: older }], paint)
  expect(line).toBe('  ○ /      static     0 B      70.0 kB (−1.0 kB)  110.0 kB  900 B')
})

test('says that no size has changed', () => {
  const routes = [facts('/'), facts('/api', { kind: 'route', file: 'api/route.ts', sizes: null })]
  expect(routesTable(routes, routes, paint)).toContain(
    '  No sizes have changed since the last build.',
  )
  expect(routesTable(routes, null, paint).join()).not.toContain('last build')
})

test('explains only the marks that occur, and limits the number of rows', () => {
  const lines = routesTable(
    Array.from({ length: 240 }, (_, index) => facts(`/r${index}`)),
    null,
    paint,
  )
  expect(lines).toContain('    and 40 more')
  expect(lines.join()).not.toContain('for each request')
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [83_149, '83.1 kB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
