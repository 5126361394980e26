import { mountedAt } from './appMap.ts'
import type { AttackSource, Made, Make } from './attackSource.ts'
import { plainMultipart, plainParts } from './multipart.ts'
import { siteHeaders } from './protocolHeaders.ts'
import type { Random } from './random.ts'
import type { Body, HeaderLine } from './request.ts'

/**
 * Attacks whose requests contain secrets and fail. The journal must store each request without its
 * secrets.
 */
export const failures: readonly (readonly [number, Make])[] = [
  [3, failingPage],
  [1, failingHandler],
  [2, failingCall],
]

/**
 * Matches a request's secret, which is random, like a token, and different from all other text in a
 * run.
 */
export const secretPattern = /Zq7(?:[A-Z][a-z]\d){6}/g

/** A part of a request that contains a secret. The replay data must not store this part. */
type Planted = {
  /** Name of the secret's place, for reports. */
  readonly place: string
  readonly path?: string
  readonly pair?: string
  readonly header?: HeaderLine
}

function failingPage(random: Random, source: AttackSource): Made {
  const isData = random.chance(0.3)
  const page = source.map.failing?.page ?? ''
  return failing(random, source, { path: isData ? `/_waymark/data${page}` : page, isData })
}

function failingHandler(random: Random, source: AttackSource): Made {
  const made = failing(random, source, { path: source.map.failing?.handler ?? '' })
  if (random.chance(0.5)) return made
  const headers = [...(made.headers ?? []), ...siteHeaders(random)]
  const body: Body = { kind: 'text', text: `{"password":"${drawSecret(random)}"}` }
  return { ...made, method: 'POST', headers, body }
}

function failingCall(random: Random, source: AttackSource): Made {
  const { page = '', action = '' } = source.map.failing ?? {}
  const made = failing(random, source, { path: `${page}/act` })
  const headers: HeaderLine[] = [
    ['waymark-action', source.actionIds[action] ?? ''],
    ...(made.headers ?? []),
    ...siteHeaders(random),
  ]
  const label = `${made.label} and arguments`
  return { ...made, label, method: 'POST', headers, body: secretArguments(random) }
}

/** Puts one to three random secrets into the path, the query, cookies and headers of a request. */
function failing(
  random: Random,
  { map }: AttackSource,
  { path, isData = false }: { readonly path: string; readonly isData?: boolean },
): Made {
  const planted = random.list(1, 3, () => random.pick(places)(random))
  const whole = [path, ...planted.flatMap((each) => each.path ?? [])].join('/')
  const pairs = ['q=oak', ...planted.flatMap(({ pair }) => pair ?? [])]
  return {
    label: `failing, a secret in ${planted[0]?.place}`,
    target: `${mountedAt(map, whole)}${isData ? '.rsc' : ''}?${pairs.join('&')}`,
    headers: planted.flatMap(({ header }) => (header ? [header] : [])),
  }
}

function drawSecret(random: Random): string {
  const draw = (alphabet: string) => random.pick([...alphabet])
  const triples = random.list(6, 6, () => {
    return draw('ABCDEFGHJKLMNPQRSTUVWXYZ') + draw('abcdefghjkmnpqrstuvwxyz') + draw('23456789')
  })
  return `Zq7${triples.join('')}`
}

const places: readonly ((random: Random) => Planted)[] = [
  (random) => ({ place: 'a cookie', header: ['cookie', `theme=dark; sid=${drawSecret(random)}`] }),
  (random) => ({
    place: 'the authorization',
    header: ['authorization', `${random.pick(['Bearer', 'Basic', ''])} ${drawSecret(random)}`],
  }),
  (random) => ({
    place: 'a header',
    header: [random.pick(secretHeaders), random.pick(texts)(drawSecret(random))],
  }),
  (random) => ({
    place: 'a named pair of the query',
    pair: `${random.pick(secretNames)}=${drawSecret(random)}`,
  }),
  (random) => ({
    place: 'a pair of the query',
    pair: `q=${encodeURIComponent(random.pick(texts)(drawSecret(random)))}`,
  }),
  (random) => ({ place: 'a query without a name', pair: drawSecret(random) }),
  (random) => ({
    place: 'the path',
    path: encodeURIComponent(random.pick(texts)(drawSecret(random))),
  }),
]

/** Names of query parameters that contain secrets. */
const secretNames = [
  'token',
  'access_token',
  'accessToken',
  'TOKEN',
  'user%5Bpassword%5D',
  'pass%77ord',
  'api-key',
  'code',
  'session.id',
  'X-Amz-Signature',
  '%EF%BD%94oken',
  'token%5B%5D',
]

const secretHeaders = [
  'accept',
  'accept-language',
  'waymark-mounted',
  'waymark-from',
  'waymark-beside',
  'x-api-key',
  'referer',
  'user-agent',
  'x-forwarded-for',
]

/** Functions that write a secret into a text, in different forms. */
const texts: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `sk_live_${secret}`,
  (secret) => `eyJhbGciOiJIUzI1NiJ9.${secret}.c2ln`,
  (secret) => `${secret}@example.com`,
  (secret) => `Bearer ${secret}`,
  (secret) => `/reset?token=${secret}`,
  (secret) => `/teams/some-long-name-of-a-team/invitations/accept/once/${secret}`,
  (secret) => `accept-an-invitation-to-some-team-with-a-very-long-name-in-it-${secret}`,
  (secret) => `{"user":{"password":"${secret}"}}`,
  (secret) => encodeURIComponent(`https://example.com/?code=${secret}&state=1`),
  (secret) => `1;token=${secret}`,
]

/**
 * Returns the arguments of a call with a secret, in the format of React's client: data, or a form.
 */
function secretArguments(random: Random): Body {
  const secret = drawSecret(random)
  if (random.chance(0.4)) {
    const field = random.pick<readonly [string, string]>([
      ['_1_password', secret],
      ['_1_user[token]', secret],
      ['_1_note', random.pick(texts)(secret)],
      [`_1_${random.pick(texts)(secret)}`, '1'],
    ])
    return { kind: 'multipart', ...plainMultipart(plainParts([field, ['0', '["$K1"]']])) }
  }
  const value = random.pick<unknown>([
    { password: secret },
    { deep: [{ list: [{ apiKey: { a: secret } }] }] },
    ['oak', random.pick(texts)(secret)],
    { [random.pick(texts)(secret)]: 1 },
  ])
  return { kind: 'text', text: JSON.stringify([value]) }
}
