import { mutate } from '../harness/mutations.ts'
import { type AppMap, adminRole, mountedAt, pathsOf } from './appMap.ts'
import type { Random } from './random.ts'
import type { HeaderLine } from './request.ts'
import { printable } from './targets.ts'

/** Draws headers of the framework's own protocol, with values that a client may send. */
export function protocolHeaders(random: Random, map: AppMap): HeaderLine[] {
  const anyPage = () => mountedAt(map, random.pick(pathsOf(map)))
  return maybe(random, [
    [0.5, () => ['waymark-mounted', heldSegments(random, map)]],
    [0.3, () => ['waymark-from', oddly(random, anyPage())]],
    [0.1, () => ['waymark-beside', oddly(random, random.list(1, 3, anyPage).join(','))]],
    [0.2, () => ['waymark-final-status', random.pick(['1', '0', ''])]],
    [0.2, () => ['waymark-prefetch', random.pick(['1', '0', '', 'page'])]],
    [0.1, () => ['waymark-nonce', random.pick(['A'.repeat(22), '"><script>', ''])]],
    [0.05, () => ['waymark-build', 'of-another']],
    [0.05, () => ['waymark-document', '1']],
    [0.05, () => ['x-waymark-digest', 'abcd-efgh-jkm']],
  ])
}

/** Draws the headers of an action call, except the one that identifies the action. */
export function callHeaders(random: Random, map: AppMap): HeaderLine[] {
  return maybe(random, [
    [0.2, () => ['waymark-idempotency-key', submissionKey(random)]],
    [0.1, () => ['waymark-queued', random.pick(['1', '0', ''])]],
    [0.3, () => ['waymark-mounted', heldSegments(random, map)]],
  ])
}

/** Draws headers that any client may send, such as a browser, crawler, cache or proxy. */
export function clientHeaders(random: Random): HeaderLine[] {
  return maybe(random, [
    [0.1, () => ['cookie', `role=${adminRole}`]],
    [0.1, () => ['cookie', random.pick(cookies)]],
    [
      0.2,
      () => ['accept', random.pick(['text/html', '*/*', 'application/json', 'text/x-component'])],
    ],
    [0.15, () => ['accept-encoding', random.pick(['gzip', 'br', 'br, gzip', 'identity'])]],
    [0.1, () => ['user-agent', random.pick(['Googlebot/2.1', 'Mozilla/5.0', 'curl/8', 'bot'])]],
    [0.05, () => ['if-none-match', random.pick(['*', '"a"', 'W/"a"', ''])]],
    [0.05, () => ['range', random.pick(['bytes=0-9', 'bytes=-1', 'bytes=9-0', 'lines=1'])]],
    [0.05, () => ['accept-language', random.pick(['de', 'en;q=x', '*', 'a'.repeat(500)])]],
    [0.08, () => random.pick(forwarded)],
    [0.03, () => ['expect', random.pick(['100-continue', 'other'])]],
    [0.03, () => ['x-noise', printable(mutate('noise', random.next))]],
  ])
}

const sameSites = ['same-origin', 'none']
const foreignSites = ['same-site', 'cross-site']

/** True if a browser would send these headers only from a page of a different site. */
export function isForeign(headers: readonly HeaderLine[]): boolean {
  const valuesOf = (wanted: string) =>
    headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const sites = valuesOf('sec-fetch-site')
  if (sites.includes('same-origin')) return sites.some((site) => foreignSites.includes(site))
  const foreignOrigins = ['null', 'https://elsewhere.example']
  return (
    sites.some((site) => foreignSites.includes(site)) ||
    valuesOf('origin').some((origin) => foreignOrigins.includes(origin))
  )
}

/** Draws headers with which a browser reports the site that a modifying request comes from. */
export function siteHeaders(random: Random): HeaderLine[] {
  return random.weighted<HeaderLine[]>([
    [20, [['sec-fetch-site', 'same-origin']]],
    [1, []],
    [1, [['sec-fetch-site', 'cross-site']]],
    [1, [['origin', 'https://elsewhere.example']]],
    [1, [['origin', 'null']]],
    // Include `origin: null`, which a form on a page with the referrer policy no-referrer sends.
    // Some cross-site forms send it as well.
    ...[...sameSites, ...foreignSites].map((site): [number, HeaderLine[]] => [
      site === 'same-origin' ? 3 : 1,
      [
        ['sec-fetch-site', site],
        ['origin', 'null'],
      ],
    ]),
  ])
}

/** Returns a unique idempotency key for a submission, or an invalid key. */
export function submissionKey(random: Random): string {
  return random.chance(0.9)
    ? `key-${Math.floor(random.next() * 1e15)
        .toString(36)
        .padStart(16, '0')}`
    : random.pick(['', 'short', 'a'.repeat(65), 'a b c d e f g h i j', '../../../../etc/passwd'])
}

function heldSegments(random: Random, { segmentKeys }: AppMap): string {
  return oddly(random, random.list(1, 4, () => random.pick(segmentKeys)).join(','))
}

function oddly(random: Random, text: string): string {
  return random.chance(0.05) ? printable(mutate(text, random.next)) : text
}

function maybe(
  random: Random,
  list: readonly (readonly [probability: number, make: () => HeaderLine])[],
): HeaderLine[] {
  return list.flatMap(([probability, make]) => (random.chance(probability) ? [make()] : []))
}

const cookies = ['role=user', 'role=', '=', ';;;', 'a=%ff', 'role=admin', '__proto__=1', 'name=ada']

const forwarded: readonly HeaderLine[] = [
  ['x-forwarded-host', 'x:99999'],
  ['x-forwarded-proto', 'ftp'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-forwarded-prefix', '/open'],
  ['x-real-ip', '1.2.3.4'],
  ['forwarded', 'for=1.2.3.4;host=evil.example'],
  ['x-original-url', '/open'],
  ['x-rewrite-url', '/open'],
  ['x-middleware-subrequest', 'proxy:proxy:proxy:proxy:proxy'],
  ['x-http-method-override', 'DELETE'],
]
