import { expect, test } from 'vitest'
import type { RouteManifest } from '../shared/buildManifest.ts'
import { formatBytes, routesTable } from './buildCommand.ts'
import { createTerminal } from './terminal.ts'

const { paint } = createTerminal({ stdout: { write() {} }, stderr: { write() {} }, env: {} })

function facts(pattern: string, rest: Partial<RouteManifest> = {}): RouteManifest {
  return {
    pattern,
    kind: 'page',
    file: 'page.tsx',
    rendering: { kind: 'static', count: 1, revalidateSeconds: null },
    rendersOthers: false,
    clientBytes: 80_000,
    ...rest,
  }
}

test('lists pattern, rendering and bytes in columns', () => {
  const lines = routesTable(
    [
      facts('/'),
      facts('/blog/[slug]', {
        rendering: { kind: 'static', count: 12, revalidateSeconds: 60 },
        clientBytes: 81_250,
      }),
      facts('/account', { rendering: { kind: 'dynamic', reason: 'uses cookies()' } }),
      facts('/api', {
        kind: 'route',
        rendering: { kind: 'dynamic', reason: 'not force-static' },
        clientBytes: null,
      }),
    ],
    paint,
  )
  expect(lines).toEqual([
    '    Route         Rendering                                 JavaScript (gzip)',
    '  ○ /             static                                    80.0 kB',
    '  ○ /blog/[slug]  static, 12 pages, revalidated after 60 s  81.3 kB',
    '  ƒ /account      dynamic: uses cookies()                   80.0 kB',
    '  ƒ /api          route handler, dynamic: not force-static',
    '',
    '  ○ static: rendered at build time',
    '  ƒ dynamic: rendered for each request',
  ])
})

test('explains only the marks it shows, and stops where nobody reads on', () => {
  const lines = routesTable(
    Array.from({ length: 240 }, (_, index) => facts(`/r${index}`)),
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
