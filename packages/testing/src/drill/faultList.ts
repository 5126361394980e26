import type { Fault, ProxiedRequest } from './fault.ts'
import { type MachineFault, machineFaults } from './machineFaults.ts'

/**
 * How a page is opened: with a click on a link, with its URL, or not at all, for faults that break
 * actions.
 */
export type Way = 'click' | 'open' | 'act'

/** The kind of request that a fault breaks. */
export type Target = 'data' | 'page' | 'document' | 'scripts' | 'styles' | 'actions' | Other
type Other = 'machine' | 'clicks' | 'offline'

/** One way to break a load. */
export type DrillFault = MachineFault & {
  /** Name of the fault, such as `data:reset`. */
  readonly id: string
  readonly way: Way
  readonly target: Target
  /** Number of requests to affect. Default: all. */
  readonly times?: number
  /** Milliseconds after which the fault ends, as when a server restarts. */
  readonly endsAfterMs?: number
  /** True if the browser itself is offline. */
  readonly isOffline?: boolean
  /**
   * True if the page must have been visited before. Only for apps with `@waymark/offline`; other
   * apps skip the fault.
   */
  readonly isSeen?: boolean
  /** True if the link is clicked before the current page has loaded its scripts. */
  readonly isBeforeScripts?: boolean
  /** An earlier click: `ms` milliseconds before, on the same link or on a link to `pathname`. */
  readonly before?: { readonly ms: number; readonly pathname?: string }
  /** Milliseconds for which the pointer is over the link before the click. */
  readonly hoverMs?: number
  /** Milliseconds that a load may take, if this fault needs more than the drill's own limit. */
  readonly withinMs?: number
  /**
   * Returns the fault for a response. @param bytes length of the intact response; for a document,
   * only up to its payload
   */
  readonly faultOf: (bytes: number) => Fault
}

type Kind = Omit<DrillFault, 'id' | 'way' | 'target'>

const always = (fault: Fault): Kind => ({ faultOf: () => fault })
const replaced = (status: number, body: string, type = 'text/html; charset=utf-8'): Kind =>
  always({ kind: 'replace', status, headers: { 'content-type': type }, body })
const half = (bytes: number) => Math.floor(bytes * 0.6)
const gateway = (status: number) => replaced(status, `<h1>${status} of a gateway</h1>`)

/** A path that no app has, and at which each shows its not-found screen. */
export const nowhere = '/waymark-drill'

const delayed = always({ kind: 'delay', ms: 1500 })
const silence: Readonly<Record<string, Kind>> = {
  hang: always({ kind: 'hang' }),
  late: delayed,
  stall: { faultOf: (bytes) => ({ kind: 'stall', afterBytes: half(bytes) }) },
}
/** Faults that keep sending data, but so slowly that nothing can be shown for minutes. */
const trickle: Readonly<Record<string, Kind>> = {
  trickle: { withinMs: 40_000, ...always({ kind: 'slow', bytesPerSecond: 60 }) },
}
const slow: Readonly<Record<string, Kind>> = {
  // The whole response takes about two seconds. The router waits as long as a response grows, but
  // loads the document after 30 s.
  slow: {
    withinMs: 40_000,
    faultOf: (bytes) => ({ kind: 'slow', bytesPerSecond: Math.max(500, Math.ceil(bytes / 2)) }),
  },
}
// A speed for assets, which have between a few kB and a few hundred kB.
const slowAssets = { slow: always({ kind: 'slow', bytesPerSecond: 40_000 }) }
const cutAssets: Readonly<Record<string, Kind>> = {
  'cut-reset': always({ kind: 'cut', afterBytes: 60, ending: 'reset' }),
  cut: always({ kind: 'cut', afterBytes: 60, ending: 'clean' }),
}
const breaks: Readonly<Record<string, Kind>> = {
  reset: always({ kind: 'reset' }),
  'cut-reset': {
    faultOf: (bytes) => ({ kind: 'cut', afterBytes: half(bytes), ending: 'reset' }),
  },
  cut: { faultOf: (bytes) => ({ kind: 'cut', afterBytes: half(bytes), ending: 'clean' }) },
}
const statuses: Readonly<Record<string, Kind>> = {
  500: gateway(500),
  502: gateway(502),
  503: gateway(503),
}
const once = (kinds: Readonly<Record<string, Kind>>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [`${name}-once`, { ...kind, times: 1 }]),
  )

/** All faults of a drill. */
export const drillFaults: readonly DrillFault[] = [
  ...list('click', 'data', {
    ...silence,
    // Only the page's loading screen arrives.
    'stall-after-shell': always({ kind: 'stall', afterBytes: 'first-chunk' }),
    ...slow,
    ...trickle,
    ...breaks,
    ...statuses,
    ...once({ reset: always({ kind: 'reset' }), 503: gateway(503) }),
    404: gateway(404),
    429: gateway(429),
    empty: replaced(200, '', 'text/x-component'),
    // The response belongs to a different page, but is complete, and its checksum is valid.
    'another-page': always({ kind: 'swap', path: `/_waymark/data${nowhere}.rsc` }),
    corrupt: { faultOf: (bytes) => ({ kind: 'corrupt', at: { byte: half(bytes) } }) },
    // By 1.5 s, most of the page is visible.
    'corrupt-late': always({ kind: 'corrupt-late', ms: 1500, byte: 60 }),
    portal: replaced(200, '<h1>Sign in to the network</h1>'),
    garbage: replaced(200, 'no rows at all', 'text/x-component'),
    redirect: always({
      kind: 'replace',
      status: 302,
      headers: { location: 'http://127.0.0.1:9/portal' },
      body: '',
    }),
  }),
  ...list('click', 'page', {
    hang: always({ kind: 'hang' }),
    ...breaks,
    ...statuses,
    portal: replaced(200, '<h1>Sign in to the network</h1>'),
    offline: { isOffline: true, faultOf: () => ({ kind: 'reset' }) },
    'offline-for-2s': { isOffline: true, endsAfterMs: 2000, faultOf: () => ({ kind: 'reset' }) },
    restart: { endsAfterMs: 2000, faultOf: () => ({ kind: 'reset' }) },
  }),
  ...list('open', 'document', {
    ...slow,
    // The HTML arrives completely, but the data for React doesn't.
    cut: { faultOf: (bytes) => ({ kind: 'cut', afterBytes: bytes, ending: 'clean' }) },
    'cut-reset': { faultOf: (bytes) => ({ kind: 'cut', afterBytes: bytes, ending: 'reset' }) },
    stall: { faultOf: (bytes) => ({ kind: 'stall', afterBytes: bytes }) },
  }),
  ...list('open', 'scripts', {
    hang: always({ kind: 'hang' }),
    ...slowAssets,
    ...cutAssets,
    reset: always({ kind: 'reset' }),
    404: replaced(404, 'not found', 'text/plain'),
    500: gateway(500),
    503: gateway(503),
    type: replaced(200, '<h1>Sign in to the network</h1>'),
    corrupt: replaced(200, 'const = ;', 'text/javascript'),
    'reset-once': { ...always({ kind: 'reset' }), times: 1 },
  }),
  ...list('open', 'styles', {
    ...slowAssets,
    ...cutAssets,
    reset: always({ kind: 'reset' }),
    404: replaced(404, 'not found', 'text/plain'),
    500: gateway(500),
    type: replaced(200, '<h1>Sign in to the network</h1>'),
  }),
  ...list('act', 'actions', {
    ...once({
      hang: always({ kind: 'hang' }),
      unheard: always({ kind: 'unheard' }),
      ...breaks,
      ...statuses,
    }),
    restart: { endsAfterMs: 2000, faultOf: () => ({ kind: 'reset' }) },
  }),
  // The machine itself is disturbed, while requests are only delayed.
  ...list('click', 'machine', machineFaults),
  // Loads of pages that were visited before. These must open in spite of the fault if the app
  // caches visited pages.
  ...list('click', 'offline', {
    click: { isSeen: true, isOffline: true, faultOf: () => ({ kind: 'reset' }) },
    'click-hang': { isSeen: true, ...always({ kind: 'hang' }) },
  }),
  ...list('open', 'offline', {
    open: { isSeen: true, isOffline: true, faultOf: () => ({ kind: 'reset' }) },
    'open-hang': { isSeen: true, ...always({ kind: 'hang' }) },
    gateway: { isSeen: true, ...gateway(502) },
  }),
  // Actions of impatient users.
  ...list('click', 'clicks', {
    early: { isBeforeScripts: true },
    twice: { before: { ms: 200 } },
    'after-another': { before: { ms: 200, pathname: nowhere } },
    'after-no-response': { ...always({ kind: 'hang' }), times: 1, before: { ms: 3000 } },
    'after-failed-prefetch': { ...always({ kind: 'reset' }), times: 1, hoverMs: 500 },
  }),
]

/**
 * Creates the faults for one target. A fault that doesn't define what happens to the response
 * delays it.
 */
function list(way: Way, target: Target, kinds: Record<string, Partial<Kind>>): DrillFault[] {
  return Object.entries(kinds).map(([name, kind]) => ({
    id: `${target}:${name}`,
    way,
    target,
    ...delayed,
    ...kind,
  }))
}

/**
 * True if a fault applies to a request.
 * @param pathname of the page
 */
export function isTargeted(target: Target, pathname: string, request: ProxiedRequest): boolean {
  const { method, headers } = request
  const [path = ''] = request.target.split('?')
  const isData = path.startsWith('/_waymark/data/')
  const isDocument = path === pathname
  switch (target) {
    case 'data':
    case 'machine':
    case 'clicks':
      return method === 'GET' && isData
    case 'page':
      return method === 'GET' && (isData || isDocument)
    case 'offline':
      return true
    case 'document':
      return method === 'GET' && isDocument
    case 'scripts':
      return headers['sec-fetch-dest'] === 'script' || /\.m?js$/.test(path)
    case 'styles':
      return headers['sec-fetch-dest'] === 'style' || path.endsWith('.css')
    case 'actions':
      return !['GET', 'HEAD', 'OPTIONS'].includes(method) && !path.startsWith('/_waymark/')
  }
}
