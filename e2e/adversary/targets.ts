import { mutate } from '../harness/mutations.ts'
import { pathForms } from '../harness/pathForms.ts'
import type { Random } from './random.ts'

/** Writes a path in one of the spellings that lead to the same page, or seem to. */
export function makePath(random: Random, path: string): string {
  return random.weighted([
    [12, () => path],
    [3, () => random.pick(pathForms(path))],
    [2, () => disturbPath(random, path)],
    [1, () => printable(mutate(path, random.next))],
  ])()
}

/** Returns the request target for a page's data. */
export function dataTarget(path: string): string {
  const [pathname = '', search] = path.split('?')
  const ending = search === undefined ? '' : `?${search}`
  return `/_waymark/data${pathname === '/' ? '' : pathname}.rsc${ending}`
}

/** Adds a query in which parameter names occur once, often, or thousands of times. */
export function withQuery(random: Random, target: string): string {
  const mark = target.includes('?') ? '&' : '?'
  return random.weighted([
    [4, () => `${target}${mark}a=1&b=%20`],
    [2, () => `${target}${mark}${random.pick(oddQueries)}`],
    [
      2,
      () => `${target}${mark}${repeated(random, random.pick(['a&', 'a=1&', 'a=b&c&', '&', '=&']))}`,
    ],
    [1, () => `${target}${mark}${distinct(random)}`],
    [1, () => `${target}${mark}${printable(mutate('a=1&b=2', random.next))}`],
  ])()
}

/** Creates a value for `Host` that a client may send. Most values are invalid in a URL. */
export function makeAuthority(random: Random, appHost: string): string {
  const host = () => random.pick(hosts)
  return random.weighted([
    [3, () => appHost],
    [3, host],
    [4, () => `${host()}:${random.pick(ports)}`],
    [3, () => `localhost:${random.pick(ports)}`],
    [1, () => printable(mutate(appHost, random.next))],
  ])()
}

/** Writes a target in absolute form, or in a form that leads to no page. */
export function otherForm(random: Random, authority: string, target: string): string {
  const scheme = random.pick(['http', 'http', 'https', 'HTTP', 'ftp'])
  return random.weighted([
    [8, `${scheme}://${authority}${target}`],
    [1, `${scheme}://user:word@${authority}${target}`],
    [1, `${scheme}:${target}`],
    [1, `//${authority}${target}`],
    [1, authority],
    [1, '*'],
  ])
}

/** Removes characters that a request line must not contain. */
export function printable(text: string): string {
  return text.replaceAll(/[^\x21-\x7e\x80-\xff]/g, '')
}

function disturbPath(random: Random, path: string): string {
  const at = random.int(path.length + 1)
  return path.slice(0, at) + random.pick(inserted) + path.slice(at)
}

// A query of this length, together with the path, stays under the server's limit of 8 kB for a
// target.
const longestQuery = 8_000

function repeated(random: Random, piece: string): string {
  const longest = Math.floor(longestQuery / piece.length)
  return piece.repeat(random.pick([20, Math.floor(longest / 2), longest]))
}

function distinct(random: Random): string {
  return random.list(1, 800, (index) => `n${index}=${index}`).join('&')
}

const inserted = [
  '%',
  '%00',
  '%2f',
  '%2e',
  '..',
  '/../',
  '//',
  '/./',
  '\\',
  ';a=b',
  '#',
  '%ff',
  '.',
]

const oddQueries = [
  '?',
  '&&&&',
  '=',
  '=a',
  'a=%',
  'a=%ff%fe',
  '__proto__=1',
  '__proto__[a]=1',
  'constructor=1',
  'a[]=1&a[]=2',
  'toString=1&then=2',
  'a=1#b',
  'a=%00',
  'hasOwnProperty',
  '_rsc=1',
  '%61=1',
]

const hosts = [
  'x',
  'localhost',
  'example.com',
  'EXAMPLE.com',
  'a_b',
  'a.b.',
  '.a',
  '..',
  'a..b',
  '-',
  '~',
  '127.0.0.1',
  '300.1.1.1',
  '1.2.3.4.5',
  '0x7f.1',
  '1',
  'a.1',
  '0',
  '256',
  '1.2.3.256',
  '[::1]',
  '[1:2]',
  '[::]',
  '[:::1]',
  '[::ffff:1.2.3.4]',
  '[1.2.3.4]',
  '[',
  '[v1.a]',
  'xn--a',
  'xn--',
  'xn--a.b',
  'a%41',
  'a%00b',
  'a@b',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  '',
  'a,b',
]

const ports = ['80', '99999', '65536', '65535', '0', '', '-1', 'a', '00080', '80:80', '443']
