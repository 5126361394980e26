import { mutate } from '../harness/mutations.ts'
import { type AppMap, adminRole, mountedAt, pathsOf, requestHeader } from './appMap.ts'
import type { AttackSource, Made, Make } from './attackSource.ts'
import { beacon } from './beacons.ts'
import { failures } from './failures.ts'
import { makeForm } from './forms.ts'
import { generatedAppAttacks } from './generatedAppAttacks.ts'
import { liveRequest } from './liveRequests.ts'
import { oddMultipart, plainMultipart, plainParts } from './multipart.ts'
import { callHeaders, clientHeaders, protocolHeaders, siteHeaders } from './protocolHeaders.ts'
import { type Random, randomAt } from './random.ts'
import { makeReply, type Row } from './reply.ts'
import type { AttackRequest, Behaviour, Body, HeaderLine } from './request.ts'
import { appCount } from './servedApps.ts'
import { dataTarget, makeAuthority, makePath, otherForm, printable, withQuery } from './targets.ts'

/**
 * Creates one request of a run. The same seed, index and server always give the same request. The
 * first requests to each app are one of each kind, and the kind of all others is random.
 */
export function attackAt(source: AttackSource, index: number): AttackRequest {
  const random = randomAt(source.seed, index)
  const hasLive = source.subscriptions.visitor.length > 0
  const kinds = [
    ...everywhere,
    ...(source.map.isQuiet ? generatedAppAttacks : failures),
    ...(source.map.gated.length > 0 ? [[2, gatedAsAdmin] as const] : []),
    ...(source.map.scanPath !== null ? [[2, scan] as const] : []),
    ...(hasLive ? [[8, liveRequest] as const] : []),
  ]
  const [, make] = kinds[Math.floor(index / appCount)] ?? [0, random.weighted(kinds)]
  const made = make(random, source)
  const { label, method = 'GET', target, headers = [], body = none, host = source.host } = made
  const hosts = hostLines(random, host, source.map)
  const lines: HeaderLine[] = [...hosts, ...headers, ...clientHeaders(random)]
  const drawn = random.weighted(body.kind === 'none' ? behaviours : bodyBehaviours)
  return {
    label,
    method,
    target: random.chance(0.01) ? otherForm(random, host, target) : target,
    headers: random.chance(0.02) ? withRepeat(random, lines) : lines,
    body,
    isChunked: random.chance(0.1),
    behaviour: made.behaviour ?? drawn,
  }
}

const none: Body = { kind: 'none' }

const behaviours: readonly (readonly [number, Behaviour])[] = [
  [16, 'stays'],
  [1, 'leaves at once'],
  [3, 'leaves after 60 ms'],
]

const bodyBehaviours = [...behaviours, [1, 'sends half']] as const

const everywhere: readonly (readonly [number, Make])[] = [
  [20, page],
  [16, pageData],
  [26, call],
  [14, form],
  [3, intercepted],
  [7, authority],
  [3, query],
  [3, otherMethod],
  [3, routeHandler],
  [5, beacon],
  [2, noise],
]

function withRepeat(random: Random, lines: readonly HeaderLine[]): readonly HeaderLine[] {
  return lines.length === 0 ? lines : [...lines, random.pick(lines)]
}

function hostLines(random: Random, host: string, { hosts }: AppMap): HeaderLine[] {
  // Requests of any kind sometimes use a host from the app's rules, or a foreign one.
  if (random.chance(0.02)) return [['host', random.pick(hosts)]]
  if (random.chance(0.995)) return [['host', host]]
  return random.chance(0.5)
    ? []
    : [
        ['host', host],
        ['Host', 'other'],
      ]
}

function place(random: Random, map: AppMap): { area: string; path: string } {
  const area = random.pick(Object.keys(map.areas))
  return { area, path: random.pick(map.areas[area] ?? []) }
}

/** Writes a path of the app in one of several spellings. */
function spelled(random: Random, map: AppMap, path: string): string {
  return map.base === '' && !map.hasSlash
    ? makePath(random, path)
    : random.chance(0.8)
      ? mountedAt(map, path)
      : `${map.base}${makePath(random, path)}`
}

function dataOf(map: AppMap, path: string): string {
  return map.base + dataTarget(path)
}

function page(random: Random, { map }: AttackSource): Made {
  const { area, path } = place(random, map)
  const target = spelled(random, map, path)
  const headers = random.chance(0.3) ? protocolHeaders(random, map) : []
  return { label: `page ${area}`, method: random.chance(0.1) ? 'HEAD' : 'GET', target, headers }
}

function pageData(random: Random, { map }: AttackSource): Made {
  const { area, path } = place(random, map)
  const data = dataTarget(path)
  const target = map.base + (random.chance(0.9) ? data : makePath(random, data))
  return { label: `data ${area}`, target, headers: protocolHeaders(random, map) }
}

function call(random: Random, { actionIds, map }: AttackSource): Made {
  const { actionsByPage, actionNames, callPage } = map
  // Prefer `callPage`, because its actions use their arguments in different ways. Actions of other
  // pages hardly read theirs.
  const target = random.chance(0.4) ? callPage : random.pick(Object.keys(actionsByPage))
  const isOfPage = random.chance(0.8)
  const name = random.pick(isOfPage ? (actionsByPage[target] ?? []) : actionNames)
  const id = random.chance(0.98) ? actionIds[name] : printable(mutate(name, random.next))
  const rows = makeReply({ random, actionIds: Object.values(actionIds) }, 0)
  const kind = isOfPage ? kindOfReply(rows) : 'of another page'
  return {
    label: `call ${kind}`,
    method: 'POST',
    target: random.chance(0.95) ? mountedAt(map, target) : makePath(random, target),
    headers: [['waymark-action', id ?? ''], ...siteHeaders(random), ...callHeaders(random, map)],
    body: replyBody(random, rows),
  }
}

function kindOfReply(rows: readonly Row[]): string {
  const text = rows.map(([, each]) => each).join('\n')
  if (!text.includes('"id"')) return 'of its page'
  const isMethod = /"(?:trim|toString|valueOf|toJSON|map|forEach)":"\$[hF]/.test(text)
  return isMethod ? 'with actions as methods' : 'with references'
}

function replyBody(random: Random, rows: readonly Row[]): Body {
  const [first] = rows
  if (first && rows.length === 1 && random.chance(0.8)) return { kind: 'text', text: first[1] }
  const parts = plainParts(rows)
  const written = random.chance(0.85) ? plainMultipart(parts) : oddMultipart(random, parts)
  return { kind: 'multipart', ...written }
}

/** Calls an action at the URL of a page that opens in front of another page. */
function intercepted(random: Random, { actionIds, map }: AttackSource): Made {
  const [background, names] = random.pick(Object.entries(map.actionsByPage))
  const from = random.chance(0.8) ? background : random.pick(pathsOf(map))
  const headers: HeaderLine[] = [
    ['waymark-action', actionIds[random.pick(names)] ?? ''],
    ['waymark-from', mountedAt(map, from)],
    ...siteHeaders(random),
    ...callHeaders(random, map),
  ]
  const body: Body = { kind: 'text', text: '[]' }
  const target = mountedAt(map, random.pick(map.targets))
  return { label: 'call intercepted', method: 'POST', target, headers, body }
}

function form(random: Random, { actionIds, map }: AttackSource): Made {
  const [target, names] = random.pick(Object.entries(map.actionsByPage))
  const isOfPage = random.chance(0.9)
  const name = isOfPage ? random.pick(names) : random.pick(map.actionNames)
  const { parts, trait } = makeForm(
    { random, actionIds: Object.values(actionIds) },
    actionIds[name] ?? '',
  )
  const isOdd = random.chance(0.15)
  const written = isOdd ? oddMultipart(random, parts) : plainMultipart(parts)
  return {
    label: `form ${isOfPage ? '' : 'of another page, '}${trait}${isOdd ? ', written oddly' : ''}`,
    method: 'POST',
    target: random.chance(0.95) ? mountedAt(map, target) : makePath(random, target),
    headers: siteHeaders(random),
    body: { kind: 'multipart', ...written },
  }
}

function authority(random: Random, { host, map }: AttackSource): Made {
  // Streamed pages read the host of the request when it's too late for the server to answer 400.
  const path = random.chance(0.5) ? random.pick(map.streamedPaths) : place(random, map).path
  const other = makeAuthority(random, host)
  const target = random.chance(0.8) ? mountedAt(map, path) : dataOf(map, path)
  if (random.chance(0.3)) return { label: 'authority', target: otherForm(random, other, target) }
  return { label: 'authority', target, host: printable(other) }
}

function query(random: Random, { map }: AttackSource): Made {
  const { path } = place(random, map)
  const queried = random.chance(0.5) ? map.searchPath : path
  const target = random.chance(0.7) ? mountedAt(map, queried) : dataOf(map, queried)
  return { label: 'query', target: withQuery(random, target) }
}

function otherMethod(random: Random, { map }: AttackSource): Made {
  const path = mountedAt(map, place(random, map).path)
  const method = random.pick(methods)
  const hasBody = random.chance(0.3)
  const body: Body = hasBody ? { kind: 'text', text: 'a=1' } : none
  const headers = random.chance(0.3) ? siteHeaders(random) : []
  return { label: `method ${method}`, method, target: path, headers, body }
}

function routeHandler(random: Random, { map }: AttackSource): Made {
  const isPost = random.chance(0.5)
  const body: Body = { kind: 'text', text: 'x'.repeat(random.pick([0, 1, 1000, 50_000])) }
  const target = mountedAt(map, random.pick(map.handlerPaths))
  const posted = { method: 'POST', headers: siteHeaders(random), body }
  return { label: 'route handler', target, ...(isPost ? posted : {}) }
}

/** Requests a static page behind a gate, as a client that the gate admits. */
function gatedAsAdmin(random: Random, { map }: AttackSource): Made {
  const path = random.pick(map.gated)
  const target = random.chance(0.4) ? dataOf(map, path) : mountedAt(map, path)
  return { label: 'gated as admin', target, headers: [['cookie', `role=${adminRole}`]] }
}

/**
 * Sends a file to a cached function. The few different files are similar, so that a cache that
 * confuses them is found.
 */
function scan(random: Random, { map }: AttackSource): Made {
  const fields = {
    n: random.pick(['page.txt', 'page.php', 'a.txt']),
    t: random.pick(['', 'x', 'x 13', 'x 10', 'text/plain']),
    c: random.pick(['harmless', 'MZ program', '10 MZ program', '13 10 MZ program']),
  }
  const target = `${mountedAt(map, map.scanPath ?? '/')}?${new URLSearchParams(fields)}`
  return { label: 'scan', target }
}

function noise(random: Random, { map }: AttackSource): Made {
  const path = mountedAt(map, place(random, map).path)
  const name = printable(mutate('x-name', random.next)).replaceAll(/[:\s]/g, '')
  const isNamed = name !== '' && name.toLowerCase() !== requestHeader
  const value = mutate('value', random.next).replaceAll(/[\r\n]/g, '')
  return {
    label: 'noise',
    method: printable(mutate('GET', random.next)) || 'GET',
    target: printable(mutate(path, random.next)) || '/',
    headers: isNamed ? [[name, value]] : [],
  }
}

const methods = [
  'TRACE',
  'TRACK',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'POST',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'get',
  'CONNECT',
  'LINK',
  'REPORT',
]
