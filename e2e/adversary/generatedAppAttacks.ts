import { type AppMap, mountedAt, pathsOf } from './appMap.ts'
import type { AttackSource, Made, Make } from './attackSource.ts'
import { makeInjection } from './injections.ts'
import { callHeaders, protocolHeaders, siteHeaders } from './protocolHeaders.ts'
import type { Random } from './random.ts'
import type { Body, HeaderLine } from './request.ts'
import { dataTarget, makePath } from './targets.ts'

/** Attacks on generated apps, which combine guards, interceptions, rules and raw HTML. */
export const generatedAppAttacks: readonly (readonly [number, Make])[] = [
  [6, overGuardedPage],
  [4, callBesideGuardedPage],
  [2, rawHtml],
  [8, hostileQuery],
  [6, hostileHost],
  [3, hopByHop],
  [3, outsideOfBase],
]

/** Label of the requests whose responses are also opened in a browser. */
export const rawLabel = 'raw html'

const empty: Body = { kind: 'text', text: '[]' }

/**
 * Requests a public page with a header that claims that the browser currently shows a guarded page.
 */
function overGuardedPage(random: Random, { map }: AttackSource): Made {
  const from = random.chance(0.6) ? random.pick(map.backgrounds) : random.pick(pathsOf(map))
  const path = random.pick(random.chance(0.6) ? map.targets : pathsOf(map))
  const name = random.chance(0.7) ? 'waymark-from' : 'waymark-beside'
  const others = protocolHeaders(random, map).filter(([each]) => each !== name)
  const target = random.chance(0.8) ? map.base + dataTarget(path) : mountedAt(map, path)
  return {
    label: 'over a guarded page',
    target,
    headers: [[name, mountedAt(map, from)], ...others],
  }
}

/** Calls an action of a guarded page at the URL of a different page. */
function callBesideGuardedPage(random: Random, { actionIds, map }: AttackSource): Made {
  const background = random.pick(map.backgrounds)
  const name = random.pick(map.actionsByPage[background] ?? map.actionNames)
  const headerName = random.chance(0.7) ? 'waymark-from' : 'waymark-beside'
  const headers: HeaderLine[] = [
    ['waymark-action', actionIds[name] ?? ''],
    [headerName, mountedAt(map, background)],
    ...siteHeaders(random),
    ...callHeaders(random, map),
  ]
  const path = random.pick(random.chance(0.7) ? map.targets : pathsOf(map))
  return {
    label: 'call beside a guarded page',
    method: 'POST',
    target: mountedAt(map, path),
    headers,
    body: empty,
  }
}

/**
 * Sends HTML to a page that shows it unescaped. The page is complete, streamed, or cached for
 * everybody.
 */
function rawHtml(random: Random, { map }: AttackSource): Made {
  const [byQuery = '', bySegment = ''] = map.rawPaths
  const html = makeInjection(random)
  const streamed = random.chance(0.5) ? '&late=1' : ''
  const cached = mountedAt(map, `${bySegment}/${Buffer.from(html).toString('base64url')}`)
  const target = random.chance(0.25)
    ? cached
    : `${mountedAt(map, byQuery)}?h=${encodeURIComponent(html)}${streamed}`
  return { label: rawLabel, target }
}

function hostileQuery(random: Random, { map }: AttackSource): Made {
  const { path, key, values } = random.pick(map.queries)
  const value = random.pick(values)
  const text = random.chance(0.7) ? value : value + random.pick(values)
  const query = `?${key}=${encodeURIComponent(text)}`
  const at = random.chance(0.85) ? mountedAt(map, path) : map.base + makePath(random, path)
  const isData = random.chance(0.15)
  const target = (isData ? map.base + dataTarget(path) : at) + query
  return { label: `query of ${path}`, target }
}

/** Requests any path, with a host from the app's rules or with a foreign host. */
function hostileHost(random: Random, { map, host }: AttackSource): Made {
  const other = random.pick(map.hosts)
  const lines: HeaderLine[] = random.chance(0.4) ? [['x-forwarded-host', other]] : []
  if (random.chance(0.2)) lines.push(['x-forwarded-proto', random.pick(['https', 'http', 'ftp'])])
  if (random.chance(0.2)) lines.push(['forwarded', `host=${other};proto=https`])
  const { path, label } = somewhere(random, map)
  const target = random.chance(0.2) ? map.base + dataTarget(path) : mountedAt(map, path)
  const isToAppHost = lines.length > 0 && random.chance(0.5)
  return { label: `host, ${label}`, target, headers: lines, host: isToAppHost ? host : other }
}

function hopByHop(random: Random, { map }: AttackSource): Made {
  const path = random.pick(map.forwarded.length > 0 ? map.forwarded : pathsOf(map))
  const hasBody = random.chance(0.4)
  const lines = random.list(1, 3, () => random.pick(hopHeaders)).flat()
  return {
    label: 'hop by hop',
    method: hasBody ? 'POST' : 'GET',
    target: mountedAt(map, path),
    headers: [...lines, ...(hasBody ? siteHeaders(random) : [])],
    ...(hasBody ? { body: empty } : {}),
  }
}

const hopHeaders: readonly (readonly HeaderLine[])[] = [
  [['expect', '100-continue']],
  [
    ['connection', 'upgrade'],
    ['upgrade', 'h2c'],
  ],
  [
    ['connection', 'x-secret, keep-alive'],
    ['x-secret', 'of this connection'],
  ],
  [
    ['connection', 'close, x-role, cookie'],
    ['x-role', 'admin'],
  ],
  [['te', 'trailers']],
  [['te', 'gzip;q=1']],
  [['trailer', 'x-late']],
  [['proxy-authorization', 'Basic YTpi']],
  [['proxy-connection', 'keep-alive']],
  [['keep-alive', 'timeout=5']],
  [['upgrade', 'h2c']],
]

/** Requests a path outside the app's base path. */
function outsideOfBase(random: Random, { map, host }: AttackSource): Made {
  const path = random.pick(['/', '/', ...pathsOf(map)])
  const others = [`${map.base}x`, `/${map.base}`, `${map.base}//`, `//evil.example${map.base}`]
  const target = random.chance(0.8) ? path : random.pick(others.filter((each) => each !== 'x'))
  const requestHost = random.chance(0.5) ? host : random.pick(map.hosts)
  return { label: 'outside of the base', target: target || '/', host: requestHost }
}

/** Returns a random path and its kind. */
function somewhere(random: Random, map: AppMap): { path: string; label: string } {
  const label = random.pick(Object.keys(map.areas))
  return { label, path: random.pick(map.areas[label] ?? ['/']) }
}
