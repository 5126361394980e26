import { expect, test } from 'vitest'
import { hostViolations } from './hostRules.ts'
import { parseSource } from './source.ts'

const path = 'packages/waymark/src/rsc/a.ts'

const check = (text: string, at = path, listed = {}) =>
  hostViolations([parseSource(at, text)], listed)

test.each([
  'if (request.origin === own) run()',
  'const { target, origin } = request',
  'function read({ origin }: ServerRequest) {}',
  "headers.get('host')",
  "headers['x-forwarded-host']",
  'new URL(href).hostname',
  'new URL(request.url)',
  'hostOf(text)',
])('code that reads a host is found: %s', (text) => {
  expect(check(text)).toEqual([expect.stringContaining(`${path}: what may the host`)])
})

test.each(['// The origin of request.url', "const url = 'https://host'", 'originOf(url)'])(
  'other code is accepted: %s',
  (text) => expect(check(text)).toEqual([]),
)

test('accepts a listed file and code of pages, and finds an entry without a reader', () => {
  expect(check('request.origin', path, { [path]: 'is shown' })).toEqual([])
  expect(check('request.origin', 'packages/waymark/src/client/a.ts')).toEqual([])
  expect(check('', path, { [path]: 'is shown' })).toEqual([
    expect.stringContaining('reads no host'),
  ])
})
