import { mutate } from '../harness/mutations.ts'
import { type AppMap, livePath } from './appMap.ts'
import type { AttackSource, Made, Subscriptions } from './attackSource.ts'
import { siteHeaders } from './protocolHeaders.ts'
import type { Random } from './random.ts'
import type { AttackRequest, Body, HeaderLine } from './request.ts'

/**
 * Creates a request that asks for changes once or waits for them, either as browsers do or
 * malformed.
 */
export function liveRequest(random: Random, source: AttackSource): Made {
  const [trait, write] = random.weighted(traits)
  const text = write(random, source)
  const method = random.chance(0.95)
    ? 'POST'
    : random.pick(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
  const body: Body = { kind: 'text', text }
  const isFromOutside = trait === 'with a secret' || random.chance(0.05)
  return {
    label: `live ${trait}`,
    method,
    target: source.map.base + livePath + random.weighted(ends),
    headers: [...(isFromOutside ? bearer(random) : siteHeaders(random))],
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
    // The client has to leave, because a response to a request that waits for changes never ends.
    ...(text.includes('true')
      ? { behaviour: random.pick(['leaves after 60 ms', 'leaves at once']) }
      : {}),
  }
}

const ends: readonly (readonly [number, string])[] = [
  [30, ''],
  [1, '?a=1'],
  [1, '/'],
  [1, '/../live'],
]

type Write = (random: Random, source: AttackSource) => string

const traits: readonly (readonly [number, readonly [trait: string, write: Write]])[] = [
  [4, ['as browsers send it', (random, source) => ask(random, visitorPages(random, source))]],
  [8, ['of somebody else', (random, source) => ask(random, withAdminPages(random, source))]],
  [3, ['that was changed', (random, source) => ask(random, changed(random, source))]],
  [2, ['of many pages', (random, source) => ask(random, many(random, source))]],
  [
    2,
    [
      'of other types',
      (random) =>
        ask(
          random,
          random.list(1, 4, () => random.pick(odd)),
        ),
    ],
  ],
  [2, ['with a secret', external]],
  [2, ['that is nested', nested]],
  [
    1,
    [
      'that is too long',
      (random, source) => padded(random, ask(random, visitorPages(random, source))),
    ],
  ],
  [1, ['with names of prototypes', withPrototypes]],
  [
    2,
    [
      'that is broken',
      (random, source) => mutate(ask(random, visitorPages(random, source)), random.next),
    ],
  ],
]

const odd: readonly unknown[] = [
  null,
  0,
  '',
  {},
  [],
  ['x'],
  true,
  'x',
  { length: 1 },
  '\u0000',
  1e308,
]

function ask(random: Random, pages: unknown): string {
  return JSON.stringify({ pages, wait: random.chance(0.4) })
}

function visitorPages(random: Random, { subscriptions }: AttackSource): string[] {
  return random.list(1, 4, () => random.pick(subscriptions.visitor))
}

function withAdminPages(random: Random, source: AttackSource): string[] {
  const { visitor, admin } = source.subscriptions
  return random.list(1, 6, () => random.pick([...visitor, ...admin]))
}

/**
 * Creates subscriptions that are altered, cut, joined, or made of bytes that the server never
 * sealed.
 */
function changed(random: Random, source: AttackSource): string[] {
  return withAdminPages(random, source).map((sealed) =>
    random.pick([
      () => mutate(sealed, random.next),
      () => sealed.slice(0, random.int(sealed.length)),
      () => sealed + sealed,
      () => sealed.toLowerCase(),
      () => Buffer.from(sealed, 'base64url').toString('base64'),
      () => sealed.replace(/.$/, '='),
    ])(),
  )
}

function many(random: Random, source: AttackSource): string[] {
  const [first = ''] = visitorPages(random, source)
  return Array<string>(random.pick([2, 63, 64, 65, 1_000])).fill(first)
}

function external(random: Random): string {
  const tags = random.pick<unknown>([['notes'], [], 'notes', [1], [''], { length: 1 }, null])
  return JSON.stringify({ tags })
}

function bearer(random: Random): HeaderLine[] {
  const token = random.pick(['', 'x', 'a'.repeat(32), 'undefined', 'null', 'ü', 'a'.repeat(8_000)])
  return [['authorization', `${random.pick(['Bearer', 'bearer', 'Basic'])} ${token}`]]
}

function nested(random: Random): string {
  const depth = random.pick([20, 1_000, 50_000])
  return `{"wait":false,"pages":${'['.repeat(depth)}${random.chance(0.7) ? ']'.repeat(depth) : ''}}`
}

function padded(random: Random, text: string): string {
  return text + ' '.repeat(random.pick([1_000, 262_144, 300_000]))
}

function withPrototypes(random: Random, source: AttackSource): string {
  const name = random.pick(['__proto__', 'constructor', 'toString', 'length'])
  const text = JSON.stringify({ pages: visitorPages(random, source), wait: false })
  return random.pick([
    text.replace('{', `{"${name}":{"wait":1},`),
    text.replace('"pages"', `"${name}"`),
    text.replace(/"pages":\[/, `"pages":["${name}",`),
  ])
}

/**
 * Returns the positions of the admin's pages about which a response reveals more than that the page
 * is gone.
 */
export function leakedAdminPages(
  { target, body }: AttackRequest,
  text: string,
  { map, subscriptions }: { readonly map: AppMap; readonly subscriptions: Subscriptions },
): number[] {
  if (target !== map.base + livePath || body.kind !== 'text') return []
  const requested = parse(body.text) as { readonly pages?: unknown } | null
  const reported = parse(/\{.*\}/.exec(text)?.[0] ?? '') as { readonly gone?: unknown } | null
  if (!Array.isArray(requested?.pages) || reported === null) return []
  const gone = new Set(Array.isArray(reported.gone) ? reported.gone : [])
  return requested.pages.flatMap((page, place) =>
    subscriptions.admin.includes(page) && !gone.has(place) ? [place] : [],
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
