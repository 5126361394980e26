/** Value of the cookie that the guards of the fixture accept. */
export const adminRole = 'admin-4f1d7c2a'

/** A path whose query ends up in a path, a host or a header, and the values to try there. */
export type HostileQuery = {
  readonly path: string
  readonly key: string
  readonly values: readonly string[]
}

/** The parts of an app that the adversary knows. Paths don't include the app's base. */
export type AppMap = {
  readonly name: string
  /** The path that the app is mounted at, or an empty string for the root. */
  readonly base: string
  /** True if the URLs of the app's pages end with a slash. */
  readonly hasSlash: boolean
  /** Paths by their purpose, which is the first part of a label in a report. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** The pages that have actions, with the actions of each. */
  readonly actionsByPage: Readonly<Record<string, readonly string[]>>
  readonly actionNames: readonly string[]
  readonly accessOf: (action: string) => Access
  /**
   * Keys of every folder with a layout or a slot, as the protocol lists the segments that a browser
   * has mounted.
   */
  readonly segmentKeys: readonly string[]
  /** Pages that are opened in front of others by interception, and the pages below them. */
  readonly targets: readonly string[]
  readonly backgrounds: readonly string[]
  /**
   * The page that gets most of the calls, a page that takes a query, streamed pages, and route
   * handlers.
   */
  readonly callPage: string
  readonly searchPath: string
  readonly streamedPaths: readonly string[]
  readonly handlerPaths: readonly string[]
  /** Authorities that the app's rules name, and a foreign one. */
  readonly hosts: readonly string[]
  readonly queries: readonly HostileQuery[]
  /** Paths that the app's rules forward to another server. */
  readonly forwarded: readonly string[]
  /** Paths behind `around` of server.ts, which lets only admins pass. */
  readonly gated: readonly string[]
  /** A route handler that reads a file with a cached function, or `null` without one. */
  readonly scanPath: string | null
  /** Pages that show text of a client as HTML, from a query and from a segment. */
  readonly rawPaths: readonly string[]
  /**
   * A page and a handler that fail for every path below them and every query, or `null` without such a
   * page.
   */
  readonly failing: Failing | null
  /** True if no page of the app fails on purpose, so that its journal must stay empty. */
  readonly isQuiet: boolean
  /** Live pages for every visitor, and live pages that only an administrator may open. */
  readonly livePages: { readonly visitor: readonly string[]; readonly admin: readonly string[] }
}

/** A page, a route handler, and an action of that page whose arguments the journal may store. */
export type Failing = { readonly page: string; readonly handler: string; readonly action: string }

/** The clients that may run an action: anybody, only a client with the cookie of an administrator, or nobody. */
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
 * The fixture `adversary`. It has guards of each kind, late pages, and actions that look at their
 * arguments.
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

/** The paths of all areas of an app. */
export function pathsOf(map: AppMap): readonly string[] {
  return Object.values(map.areas).flat()
}

/** Returns a path of an app in the form that browsers request. */
export function mountedAt({ base, hasSlash }: AppMap, path: string): string {
  const [, pathname = '', rest = ''] = /^([^?]*)(.*)$/s.exec(path) ?? []
  const whole = base + (base !== '' && pathname === '/' ? '' : pathname)
  const isOfPage = !pathname.startsWith('/_waymark/') && /\/[^/.]+$/.test(whole)
  return `${whole}${hasSlash && isOfPage ? '/' : ''}${rest}`
}

/** Prefix of the text that a guarded page or layout must not reveal, by who may see it. */
export const guardedText = { admin: 'GUARDED_', nobody: 'CLOSED_' } as const

/** Header with the index of a request, by which the fixture tells requests apart. */
export const requestHeader = 'x-adversary'

/** The request that reads what the fixture's actions have seen. */
export const watch = { path: '/watch', header: 'x-watch', secret: 'watch-c31a9b07' } as const

/** Path of browsers' reports about how pages arrived, below the base of an app. */
export const arrivalsPath = '/_waymark/arrivals'

/** Path of pages' requests for changes, below the base of an app. */
export const livePath = '/_waymark/live'

/** Holds `?size=` requests until all of them have arrived or no more come. */
export const barrierPath = '/api/barrier'

/** Response of an app in which a cached function returned the result for other arguments. */
export const otherResult = 'RESULT_OF_OTHER_ARGUMENTS'
