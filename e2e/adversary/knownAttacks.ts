import { arrivalsPath } from './appMap.ts'
import type { AttackSource } from './attackSource.ts'
import { attackAt } from './attacks.ts'
import { beaconPattern } from './beacons.ts'
import { secretPattern } from './failures.ts'
import { type AttackRequest, encodeRequest } from './request.ts'
import { appCount } from './servedApps.ts'

type IsAttack = (request: AttackRequest, source: AttackSource) => boolean

/** Attacks that once got into a server. Only the fixture has the pages that they need. */
export const knownAttacks: Readonly<Record<string, IsAttack>> = {
  'a form whose reference is there twice, for an action of another page': isDoubledForm,
  'a streamed page, requested with a host that no URL may have': isStreamedWithBadHost,
  'a call whose arguments wait for an action that waits for them': isCycle,
  'a call with an action as a method of its argument': isMethodReference,
  'a call of an action of a guarded page, from that page, at an intercepted URL': isIntercepted,
  'data of a page below a client layout that the browser has mounted': isBelowClientLayout,
  'a query of thousands of equal names': ({ target }) =>
    /^\/search\?(?:a=?[1b]?&){1900}/.test(target),
  'a document behind a guard that is late': isGet('/guard/late'),
  'a partial page behind a guard': isGet('/part/area'),
  'an accepted beacon with a text of the client': isAcceptedBeacon,
  'a failing page with a secret in its query': isFailing(/^\/fail.*[?&]\w+=Zq7/),
  'a call that fails, with a secret in its arguments': isFailing(/^\/fail\/act/),
}

/**
 * Finds a request of each known attack, so that a short run contains all of them.
 * @param searched number of requests after which the search ends
 * @returns indexes of requests to the fixture, in ascending order
 * @throws Error with the attacks that it didn't find
 */
export function indexesOfKnownAttacks(
  source: AttackSource,
  attacks: Readonly<Record<string, IsAttack>> = knownAttacks,
  searched = 200_000,
): readonly number[] {
  const missing = new Map(Object.entries(attacks))
  const found: number[] = []
  for (let index = 0; index < searched && missing.size > 0; index += appCount) {
    const request = attackAt(source, index)
    const names = [...missing].filter(([, is]) => is(request, source)).map(([name]) => name)
    if (names.length > 0) found.push(index)
    for (const name of names) missing.delete(name)
  }
  if (missing.size === 0) return found
  const names = [...missing.keys()].join('; ')
  throw new Error(`No request of seed ${source.seed} is one of these attacks: ${names}`)
}

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

function isIntercepted({ target, headers }: AttackRequest, { actionIds }: AttackSource): boolean {
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
