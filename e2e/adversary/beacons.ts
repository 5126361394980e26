import { mutate } from '../harness/mutations.ts'
import { type AppMap, arrivalsPath, pathsOf } from './appMap.ts'
import type { AttackSource, Made } from './attackSource.ts'
import { siteHeaders } from './protocolHeaders.ts'
import type { Random } from './random.ts'
import type { Body, HeaderLine } from './request.ts'

/**
 * Matches text from beacons that no server may store. Build ids and digests, which a server does
 * store, don't match, because they contain no dot.
 */
export const beaconPattern = /Bq9\.(?:[A-Z][a-z]\d){6}/g

/** Creates a report of how pages arrived, either in the form that browsers send or malformed. */
export function beacon(random: Random, source: AttackSource): Made {
  const [trait, write] = random.weighted(traits)
  const text = write(random, source.map)
  const method = random.chance(0.95) ? 'POST' : random.pick(['GET', 'HEAD', 'PUT', 'OPTIONS'])
  const body: Body = { kind: 'text', text }
  return {
    label: `beacon ${trait}`,
    method,
    target: source.map.base + arrivalsPath + random.weighted(ends),
    headers: [...siteHeaders(random), ...typeHeaders(random)],
    ...(method === 'POST' || method === 'PUT' ? { body } : {}),
  }
}

const ends: readonly (readonly [number, string])[] = [
  [30, ''],
  [1, '?a=1'],
  [1, '/'],
  [1, '/../arrivals'],
]

type Write = (random: Random, map: AppMap) => string

const traits: readonly (readonly [number, readonly [trait: string, write: Write]])[] = [
  [4, ['as browsers send it', (random, map) => write(random, map)]],
  [4, ['of ever new combinations', (random, map) => write(random, map, combination)]],
  [3, ['of patterns that are not there', (random, map) => write(random, map, withUnknownRoute)]],
  [3, ['with a text of its own', withClientText]],
  [2, ['with huge numbers', (random, map) => withNumber(random, write(random, map))]],
  [2, ['that is nested', nested]],
  [2, ['that is too long', (random, map) => write(random, map) + ' '.repeat(random.int(90_000))]],
  [1, ['with names of prototypes', withPrototypes]],
  [2, ['that is broken', (random, map) => mutate(write(random, map), random.next)]],
]

const kinds = ['document', 'push', 'replace', 'traverse', 'action']
const causes = ['timed-out', 'offline', 'unreachable', 'cut', 'refused', 'thrown']
const vitals = ['LCP', 'INP', 'CLS', 'TTFB']

type Fields = Readonly<Record<string, unknown>>
type Draw = (random: Random, map: AppMap) => Fields

function write(random: Random, map: AppMap, draw: Draw = load): string {
  const { build, ...first } = { build: buildOf(random), ...draw(random, map) }
  const more = random.list(0, random.pick([1, 5, 49, 60]), () => {
    const { build: _, ...fields } = draw(random, map) as Record<string, unknown>
    return fields
  })
  const measured = random.list(0, random.pick([0, 4, 49]), () => ({
    route: routeOf(random, map),
    name: random.pick(vitals),
    isSoft: random.chance(0.5),
    value: random.int(5_000),
  }))
  return JSON.stringify({ build, loads: [first, ...more], vitals: measured })
}

function buildOf(random: Random): string | null {
  return random.pick([null, 'b1', `build-${random.int(1e6)}`, 'a'.repeat(64)])
}

/** Picks a random page and returns its path; one time in ten, returns `null`, as for a URL without a route. */
function routeOf(random: Random, map: AppMap): string | null {
  return random.chance(0.1) ? null : (random.pick(pathsOf(map)).split('?')[0] ?? null)
}

function load(random: Random, map: AppMap): Fields {
  const plain = { route: routeOf(random, map), kind: random.pick(kinds) }
  const rest = { ms: random.int(70_000), attempts: 1 + random.int(3) }
  const digest = `${letters(random, 4)}-${letters(random, 4)}-${letters(random, 3)}`
  return {
    ...plain,
    ...random.pick<Fields>([
      { outcome: 'page' },
      { outcome: 'fallback', status: 404 },
      { outcome: 'error', digest },
      { outcome: 'notice', end: random.pick(['arrived', 'left', 'gave-up']) },
      { outcome: random.pick(['left', 'never']), cause: random.pick(causes) },
    ]),
    ...rest,
  }
}

function combination(random: Random, map: AppMap): Fields {
  return {
    ...load(random, map),
    outcome: 'fallback',
    status: 400 + random.int(200),
    cause: random.pick(causes),
    late: random.pick(['data', 'code', 'styles']),
    end: undefined,
    digest: undefined,
  }
}

function withUnknownRoute(random: Random, map: AppMap): Fields {
  return { ...load(random, map), route: `/${clientText(random)}` }
}

function letters(random: Random, count: number): string {
  return random
    .list(count, count, () => random.pick([...'0123456789abcdefghjkmnpqrstvwxyz']))
    .join('')
}

function clientText(random: Random): string {
  const draw = (alphabet: string) => random.pick([...alphabet])
  const triples = random.list(6, 6, () => draw('ABCDEFGH') + draw('abcdefgh') + draw('23456789'))
  return `Bq9.${triples.join('')}`
}

/**
 * Creates a beacon with text from the client inside a field, in an extra field, or as the whole
 * body.
 */
function withClientText(random: Random, map: AppMap): string {
  const text = clientText(random)
  const field = random.pick(['kind', 'outcome', 'cause', 'end', 'late', 'digest', 'status', 'note'])
  const fields = (): Fields => ({ ...load(random, map), [field]: text })
  return random.pick([
    () => write(random, map, fields),
    () => write(random, map, () => ({ ...load(random, map), build: text })),
    () => write(random, map).replaceAll(/"(?:LCP|INP|CLS|TTFB)"/g, `"${text}"`),
    () => JSON.stringify({ ...JSON.parse(write(random, map)), [text]: text }),
    () => JSON.stringify(text),
    () => text,
  ])()
}

function withNumber(random: Random, text: string): string {
  const number = random.pick([
    '1e308',
    '1e999',
    '-1',
    '-0',
    '0.5',
    '9007199254740993',
    `9${'9'.repeat(400)}`,
    'NaN',
    '86400000',
    '86400001',
    '1e3',
    '0x10',
    '"12"',
    'true',
    '[1]',
    '{}',
    'null',
  ])
  const field = random.pick(['ms', 'attempts', 'status', 'value'])
  return text.replaceAll(new RegExp(`"${field}":\\d+`, 'g'), `"${field}":${number}`)
}

function nested(random: Random, map: AppMap): string {
  const depth = random.pick([20, 1_000, 7_000, 50_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"loads":[', ']}'],
  ] as const)
  const isClosed = random.chance(0.7)
  const deep = open.repeat(depth) + (isClosed ? `1${close.repeat(depth)}` : '')
  const at = random.pick(['"route":', '"loads":', '"build":', ''])
  return at === '' ? deep : write(random, map).replace(at, `${at}${deep},"was":`)
}

function withPrototypes(random: Random, map: AppMap): string {
  const name = random.pick(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])
  const value = random.pick(['{"isAdmin":true}', '{"route":{}}', 'null', '"page"'])
  const text = write(random, map)
  return random.pick([
    text.replace('{', `{"${name}":${value},`),
    text.replace('"loads":[{', `"loads":[{"${name}":${value},`),
    text.replace(/"outcome":"\w+"/, `"outcome":"${name}"`),
    text.replace(/"route":(?:"[^"]*"|null)/, `"route":"${name}"`),
  ])
}

function typeHeaders(random: Random): HeaderLine[] {
  return random.weighted<HeaderLine[]>([
    [10, []],
    [2, [['content-type', 'application/json']]],
    [1, [['content-type', 'multipart/form-data; boundary=x']]],
    [1, [['content-type', 'application/x-www-form-urlencoded']]],
    [1, [['content-type', 'text/html; charset=utf-16']]],
    [1, [['content-encoding', 'gzip']]],
  ])
}
