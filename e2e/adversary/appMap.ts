/** Value of the cookie that the fixture's guards accept. */
export const adminRole = 'admin-4f1d7c2a'

/**
 * A path whose query is used in a path, a host or a header, and the values to try in that query.
 */
export type HostileQuery = {
  readonly path: string
  readonly key: string
  readonly values: readonly string[]
}

/** The parts of an app that the adversary knows. Paths don't include the app's base path. */
export type AppMap = {
  readonly name: string
  /** Base path of the app, or an empty string if the app is mounted at the root. */
  readonly base: string
  /** True if the URLs of the app's pages end with a slash. */
  readonly hasSlash: boolean
  /** Paths by purpose. The purpose is the first part of a label in a report. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** Actions that each page has, by the page's path. */
  readonly actionsByPage: Readonly<Record<string, readonly string[]>>
  readonly actionNames: readonly string[]
  readonly accessOf: (action: string) => Access
  /**
   * Keys of all folders with a layout or a slot, in the form in which a browser sends the keys of
   * its mounted segments.
   */
  readonly segmentKeys: readonly string[]
  /**
   * Pages that an intercepted route opens in front of other pages, and the pages that stay visible
   * underneath.
   */
  readonly targets: readonly string[]
  readonly backgrounds: readonly string[]
  /**
   * The page that gets most of the action calls, a page that reads a query, streamed pages, and
   * route handlers.
   */
  readonly callPage: string
  readonly searchPath: string
  readonly streamedPaths: readonly string[]
  readonly handlerPaths: readonly string[]
  /** Authorities (host and port) from the app's rules, and a foreign one. */
  readonly hosts: readonly string[]
  readonly queries: readonly HostileQuery[]
  /** Paths that the app's rules forward to another server. */
  readonly forwarded: readonly string[]
  /** Paths that `around` in server.ts opens only to admins. */
  readonly gated: readonly string[]
  /**
   * A route handler that reads a file with a cached function, or `null` if the app has no such
   * handler.
   */
  readonly scanPath: string | null
  /**
   * Pages that show text from the client, unescaped, as HTML. The text comes from a query or from a
   * segment.
   */
  readonly rawPaths: readonly string[]
  /**
   * A page and a handler that fail on every query and on every path below their own; `null` if the
   * app has none.
   */
  readonly failing: Failing | null
  /** True if none of the app's pages fails on purpose, so that its journal must stay empty. */
  readonly isQuiet: boolean
  /** Live pages that every visitor may open, and live pages that only an administrator may open. */
  readonly livePages: { readonly visitor: readonly string[]; readonly admin: readonly string[] }
}

/** A page, a route handler, and an action of that page whose arguments the journal may store. */
export type Failing = { readonly page: string; readonly handler: string; readonly action: string }

/** Clients that may run an action: all, only those with an administrator's cookie, or none. */
export type Access = 'anybody' | 'admin' | 'nobody'

const actionsByPage: Readonly<Record<string, readonly string[]>> = {
  '/open': ['trimText', 'greet', 'countList', 'storeJson', 'echo', 'awaitAll'],
  '/login': ['guestLogin'],
  '/state': ['merge'],
  '/admin': ['adminDelete'],
  '/guard/prompt': ['promptAct'],
  '/guard/late': ['lateAct'],
  '/guard/hook': ['hookAct'],
  '/guard/thenable': ['thenableAct'],
  '/guard/shut': ['shutAct'],
}

const failing: Failing = { page: '/fail', handler: '/api/fail', action: 'failAct' }

const actionNames = [...Object.values(actionsByPage).flat(), failing.action]

function accessOf(action: string): Access {
  if (action === 'shutAct') return 'nobody'
  const open = [actionsByPage['/open'], actionsByPage['/login'], actionsByPage['/state']].flat()
  return action === failing.action || open.includes(action) ? 'anybody' : 'admin'
}

const guards = ['prompt', 'late', 'hook', 'thenable', 'shut']

const areas: Readonly<Record<string, readonly string[]>> = {
  open: ['/', '/open', '/login', '/state', '/search?q=1'],
  admin: ['/admin', '/admin/kept', '/admin/partial', '/admin/none'],
  guard: guards.flatMap((kind) => ['', '/inner', '/partial'].map((end) => `/guard/${kind}${end}`)),
  part: ['/part/area', '/part/area/inner'],
  late: ['/late/redirect', '/late/missing', '/late/error'],
  client: ['/client/one', '/client/two'],
  photo: ['/photo/1', '/photo/2'],
  kept: ['/kept', '/partial'],
  none: ['/nowhere', '/guard', '/client', '/favicon.ico', '/robots.txt'],
}

const paths = Object.values(areas).flat()

const segmentKeys: readonly string[] = [
  '/',
  '/client',
  '/part',
  '/part/area',
  '/part/area/inner',
  '/admin',
  '/photo/1',
  ...guards.flatMap((kind) => [`/guard/${kind}`, `/guard/${kind}/inner`]),
  ...paths,
]

/**
 * Map of the fixture `adversary`, which has guards of each kind, late pages, and actions that
 * inspect their arguments.
 */
export const fixtureMap: AppMap = {
  name: 'adversary',
  base: '',
  hasSlash: false,
  areas,
  actionsByPage,
  actionNames,
  accessOf,
  segmentKeys,
  targets: ['/photo/1', '/photo/2'],
  backgrounds: Object.keys(actionsByPage),
  callPage: '/open',
  searchPath: '/search',
  streamedPaths: areas.late ?? [],
  handlerPaths: ['/api/json', '/api/json?a=1', '/_waymark/data/api/json.rsc'],
  hosts: ['evil.example'],
  queries: [],
  forwarded: [],
  rawPaths: [],
  gated: [],
  scanPath: null,
  failing,
  isQuiet: false,
  livePages: { visitor: ['/open', '/partial', '/kept'], admin: ['/guard/prompt', '/guard/late'] },
}

/** Returns the paths of all areas of an app. */
export function pathsOf(map: AppMap): readonly string[] {
  return Object.values(map.areas).flat()
}

/**
 * Returns an app's path in the form that browsers request, with the base path and the trailing
 * slash.
 */
export function mountedAt({ base, hasSlash }: AppMap, path: string): string {
  const [, pathname = '', rest = ''] = /^([^?]*)(.*)$/s.exec(path) ?? []
  const whole = base + (base !== '' && pathname === '/' ? '' : pathname)
  const isOfPage = !pathname.startsWith('/_waymark/') && /\/[^/.]+$/.test(whole)
  return `${whole}${hasSlash && isOfPage ? '/' : ''}${rest}`
}

/** Prefixes of the text in guarded pages and layouts, keyed by who may see the text. */
export const guardedText = { admin: 'GUARDED_', nobody: 'CLOSED_' } as const

/** Header with the index of a request, so that the fixture can tell which request ran an action. */
export const requestHeader = 'x-adversary'

/** The request that returns what the fixture's actions have seen. */
export const watch = { path: '/watch', header: 'x-watch', secret: 'watch-c31a9b07' } as const

/** Path to which browsers report how pages arrived, relative to the app's base path. */
export const arrivalsPath = '/_waymark/arrivals'

/** Path at which live pages ask for changes, relative to the app's base path. */
export const livePath = '/_waymark/live'

/**
 * Path of a route handler that holds `size` requests until all of them have arrived, or until no
 * more arrive.
 */
export const barrierPath = '/api/barrier'

/** Response of a route handler that got a cached result that belongs to different arguments. */
export const otherResult = 'RESULT_OF_OTHER_ARGUMENTS'
