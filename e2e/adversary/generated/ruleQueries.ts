import type { HostileQuery } from '../appMap.ts'
import type { AppShape } from './appShape.ts'
import type { UpstreamPorts } from './ruleSources.ts'

/** Returns the queries that an app's rules and pages read. */
export function queriesOf({ kind }: AppShape, { strict }: UpstreamPorts): HostileQuery[] {
  const corePageQueries: HostileQuery[] = [{ path: '/go', key: 'to', values: locations }]
  if (kind === 'core') return corePageQueries
  return [
    ...corePageQueries,
    { path: '/gopage', key: 'page', values: locations },
    { path: '/user', key: 'id', values: pieces },
    { path: '/t', key: 'sub', values: hostPieces(strict) },
    { path: '/open', key: 'v', values: headerValues },
  ]
}

const locations = [
  '/evil.example',
  '\\evil.example',
  '//evil.example',
  '/\\evil.example',
  './/evil.example',
  'a/../../..//evil.example',
  '/..//evil.example',
  '%2f%2fevil.example',
  '\t//evil.example',
  '*',
  '**',
  '?',
  '#',
  '%',
  ':page',
  '(',
  '{',
  'open',
  '/open',
  '',
  '.',
  '..',
  '../admin',
  '☃',
  '/☃',
  '\0',
  '\r\nset-cookie: a=b',
  '/a\r\nb',
  '\u007f',
  'javascript:alert(1)',
  '\\',
  'é',
  'evil.example:80',
  '@evil.example',
  '/@evil.example',
  '\ud83d\ude00',
  'a'.repeat(3_000),
]

const pieces = [
  '1',
  '..',
  '.',
  '../secret',
  '../../latest',
  '..\\secret',
  'a/b',
  '/a',
  '//evil.example',
  'x?inj=1',
  'x#y',
  'x&inj=1',
  'x;inj=1',
  '%2e%2e%2fsecret',
  '%2e%2e',
  '☃',
  '\0',
  'a\r\nb',
  '*',
  ':id',
  '(',
  '',
  ' ',
  '%',
  '\\',
  '@',
  'a'.repeat(3_000),
]

// Values for `:sub` in the host `127.:sub.0.1`. Each resulting host is this machine or is invalid,
// so that no DNS lookup happens.
function hostPieces(port: number): string[] {
  return [
    '0',
    `0.0.1:${port}/latest/?x=`,
    `0.0.1:${port}\\latest`,
    `0.0.1:${port}/latest#`,
    '0/..',
    '0?',
    '0#',
    '0@127.0',
    `0.0.1:1@127.0.0.1:${port}/latest/?x=`,
    '0.0.1:99999/',
    '\0',
    '0\r\n',
    '0%2f',
    '0:80',
    '[::1]',
    '0 ',
  ]
}

const headerValues = ['a', '☃', '\0', '\r\nx-in: 1', 'é', '\u007f', '\t', ' ', 'x'.repeat(3_000)]
