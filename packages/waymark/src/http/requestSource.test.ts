import { expect, test } from 'vitest'
import { sourceOfRequest } from './requestSource.ts'

const serverOrigin = 'https://site.test'

test.each<[ReturnType<typeof sourceOfRequest>, site: string | null, origin: string | null]>([
  ['same-origin', 'same-origin', null],
  ['same-origin', 'same-origin', serverOrigin],
  // The page has the referrer policy no-referrer, so a form sends `null` as its origin.
  ['same-origin', 'same-origin', 'null'],
  // A proxy has changed the host or terminated TLS.
  ['same-origin', 'same-origin', 'https://public.test'],
  ['same-origin', 'same-origin', 'http://site.test'],
  ['cross-origin', 'cross-site', null],
  ['cross-origin', 'cross-site', serverOrigin],
  ['cross-origin', 'same-site', serverOrigin],
  ['cross-origin', 'cross-site', 'null'],
  // The header was sent twice, or has a value that no browser sends.
  ['cross-origin', 'same-origin, same-origin', serverOrigin],
  ['cross-origin', 'Same-Origin', serverOrigin],
  ['cross-origin', '', serverOrigin],
  ['unknown', 'none', null],
  ['same-origin', 'none', serverOrigin],
  ['cross-origin', 'none', 'null'],
  ['cross-origin', 'none', 'https://evil.test'],
  ['unknown', null, null],
  ['same-origin', null, serverOrigin],
  ['cross-origin', null, 'null'],
  ['cross-origin', null, 'http://site.test'],
  ['cross-origin', null, 'https://site.test:8443'],
  ['cross-origin', null, 'https://site.test.evil.test'],
])('%s: Sec-Fetch-Site %s, Origin %s', (source, site, origin) => {
  expect(sourceOfRequest({ site, origin }, serverOrigin)).toBe(source)
})

test('if the origin of the server is unknown, no origin matches', () => {
  expect(sourceOfRequest({ site: null, origin: 'null' }, null)).toBe('cross-origin')
  expect(sourceOfRequest({ site: null, origin: null }, null)).toBe('unknown')
})
