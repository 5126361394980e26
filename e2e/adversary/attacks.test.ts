import { expect, test } from 'vitest'
import { arrivalsPath, fixtureMap } from './appMap.ts'
import type { AttackSource } from './attackSource.ts'
import { attackAt } from './attacks.ts'
import { beaconPattern } from './beacons.ts'
import { secretPattern } from './failures.ts'
import { type AttackRequest, encodeRequest } from './request.ts'
import { appCount } from './servedApps.ts'

const actionIds = Object.fromEntries(fixtureMap.actionNames.map((name) => [name, `a1b2c3#${name}`]))
const subscriptions = { visitor: ['visitor'], admin: ['admin'] }
const served = { map: fixtureMap, host: 'localhost:3000', actionIds, subscriptions }
const source: AttackSource = { seed: 7, ...served }
const run = Array.from({ length: 20_000 }, (_, index) => attackAt(source, index))

test('a request depends only on its seed and index', () => {
  expect(attackAt(source, 4711)).toEqual(run[4711])
  expect(attackAt({ ...source, seed: 8 }, 4711)).not.toEqual(run[4711])
})

test('a header line contains no line break', () => {
  const broken = run.filter((request) => {
    const { bytes, headLength } = encodeRequest(request)
    const lines = bytes.toString('latin1', 0, headLength - 4).split('\r\n')
    return lines.some((line) => /[\r\n]/.test(line))
  })
  expect(broken).toEqual([])
})

test('no target is longer than a server accepts', () => {
  expect(Math.max(...run.map(({ target }) => target.length))).toBeLessThan(8_192)
})

// Each of these attacks once got into a server, so a run of the usual length must contain all of
// them. The fixture gets a fifth of the requests, because there are five apps.
const share = run.filter((_, index) => index % appCount === 0)

test.each<readonly [what: string, is: (request: AttackRequest) => boolean]>([
  ['a form whose reference is there twice, for an action of another page', isDoubledForm],
  ['a streamed page, requested with a host that no URL may have', isStreamedWithBadHost],
  ['a call whose arguments wait for an action that waits for them', isCycle],
  ['a call with an action as a method of its argument', isMethodReference],
  ['a call of an action of a guarded page, from that page, at an intercepted URL', isIntercepted],
  ['data of a page below a client layout that the browser has mounted', isBelowClientLayout],
  [
    'a query of thousands of equal names',
    ({ target }) => /^\/search\?(?:a=?[1b]?&){1900}/.test(target),
  ],
  ['a document behind a guard that is late', isGet('/guard/late')],
  ['a partial page behind a guard', isGet('/part/area')],
  ['an accepted beacon with a text of the client', isAcceptedBeacon],
  ['a failing page with a secret in its query', isFailing(/^\/fail.*[?&]\w+=Zq7/)],
  ['a call that fails, with a secret in its arguments', isFailing(/^\/fail\/act/)],
])('a run of 20,000 requests contains %s', (_, is) => {
  expect(share.filter(is).length).toBeGreaterThan(0)
})

function partsOf({ body }: AttackRequest): readonly { name: string; value: string }[] {
  return body.kind === 'multipart' ? body.parts : []
}

function isDoubledForm(request: AttackRequest): boolean {
  const references = partsOf(request).filter(({ name }) => /^\$ACTION_\d:0$/.test(name))
  const [first, second] = references.map(({ value }) => value)
  return request.target === '/login' && !!first?.includes('guest') && !!second?.includes('adminD')
}

function isStreamedWithBadHost({ target, headers }: AttackRequest): boolean {
  const host = headers.find(([name]) => name === 'host')?.[1] ?? ''
  return target.startsWith('/late/') && /^[a-z.]+:(?:99999|65536)$/i.test(host)
}

function isCycle(request: AttackRequest): boolean {
  const [first, second] = partsOf(request)
  const waits = first?.name === '0' && first.value.includes('$h1')
  return !!waits && second?.name === '1' && second.value.includes('"bound":"$@0"')
}

function isMethodReference(request: AttackRequest): boolean {
  const isCall = request.headers.some(
    ([name, value]) => name === 'waymark-action' && /trim/.test(value),
  )
  const [first, second] = partsOf(request)
  return isCall && !!first?.value.includes('"trim":"$h1"') && !!second?.value.includes('"id"')
}

function isIntercepted({ target, headers }: AttackRequest): boolean {
  const lines = new Map(headers)
  const isAction = lines.get('waymark-action') === actionIds.adminDelete
  return isAction && lines.get('waymark-from') === '/admin' && target.startsWith('/photo/')
}

function isBelowClientLayout({ target, headers }: AttackRequest): boolean {
  const mounted = new Map(headers).get('waymark-mounted')?.split(',') ?? []
  return target === '/_waymark/data/client/one.rsc' && mounted.includes('/client')
}

function isAcceptedBeacon({ method, target, headers, body }: AttackRequest): boolean {
  const site = new Map(headers).get('sec-fetch-site')
  const isBeacon = body.kind === 'text' && body.text.search(beaconPattern) !== -1
  return method === 'POST' && target === arrivalsPath && site === 'same-origin' && isBeacon
}

function isFailing(target: RegExp): (request: AttackRequest) => boolean {
  return (request) =>
    target.test(request.target) && encodeRequest(request).bytes.toString().search(secretPattern) > 0
}

function isGet(path: string): (request: AttackRequest) => boolean {
  return ({ method, target }) => method === 'GET' && target === path
}
