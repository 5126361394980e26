/** The value of the cookie that the guards of the fixture let pass. */
export const adminRole = 'admin-4f1d7c2a'

/** A path whose query ends up in a path, a host or a header, and what may be tried there. */
export type HostileQuery = {
  readonly path: string
  readonly key: string
  readonly values: readonly string[]
}

/** What the adversary knows of an app. Paths are those of the app, without its base. */
export type AppMap = {
  readonly name: string
  /** The path that it is mounted at; empty for the root. */
  readonly base: string
  /** True if the URLs of the app's pages end with a slash. */
  readonly hasSlash: boolean
  /** Paths by what they are for; the first part of a label in a report. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** The pages with actions, and the actions of each. */
  readonly actionsByPage: Readonly<Record<string, readonly string[]>>
  readonly actionNames: readonly string[]
  readonly accessOf: (action: string) => Access
  /** Every folder with a layout or a slot, as the protocol names what a browser has mounted. */
  readonly segmentKeys: readonly string[]
  /** Pages that others open in front of them, and those others. */
  readonly targets: readonly string[]
  readonly backgrounds: readonly string[]
  /** The page most calls go to, one that takes a query, streamed ones, route handlers. */
  readonly callPage: string
  readonly searchPath: string
  readonly streamedPaths: readonly string[]
  readonly handlerPaths: readonly string[]
  /** Authorities that its rules name, and one of somebody else. */
  readonly hosts: readonly string[]
  readonly queries: readonly HostileQuery[]
  /** Paths that its rules forward to another server. */
  readonly forwarded: readonly string[]
  /** Paths behind `around` of server.ts, which lets admins pass. */
  readonly gated: readonly string[]
  /** A route handler that reads a file by a cached function; `null` without one. */
  readonly scanPath: string | null
  /** Pages that show what a client sends as HTML: by a query, and by a segment. */
  readonly rawPaths: readonly string[]
  /** What fails on purpose, whatever is below its path and in its query; `null` for nothing. */
  readonly failing: Failing | null
  /** True if no page of the app fails on purpose, so that its journal must stay empty. */
  readonly isQuiet: boolean
  /** Live pages: those of every visitor, and those that only an administrator may open. */
  readonly livePages: { readonly visitor: readonly string[]; readonly admin: readonly string[] }
}

/** A page, a route handler, and an action of that page whose arguments the journal may store. */
export type Failing = { readonly page: string; readonly handler: string; readonly action: string }

/** Who may run an action: anybody, whoever has the cookie of an administrator, nobody. */
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

/** The fixture `adversary`: guards of each kind, late pages, values that actions look at. */
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

/** A path of an app as browsers have it. */
export function mountedAt({ base, hasSlash }: AppMap, path: string): string {
  const [, pathname = '', rest = ''] = /^([^?]*)(.*)$/s.exec(path) ?? []
  const whole = base + (base !== '' && pathname === '/' ? '' : pathname)
  const isOfPage = !pathname.startsWith('/_waymark/') && /\/[^/.]+$/.test(whole)
  return `${whole}${hasSlash && isOfPage ? '/' : ''}${rest}`
}

/** What a page or layout that refuses must not let out, by who may see it. */
export const guardedText = { admin: 'GUARDED_', nobody: 'CLOSED_' } as const

/** The header with which a request tells the fixture which one it is. */
export const requestHeader = 'x-adversary'

/** How the fixture is asked what its actions have seen. */
export const watch = { path: '/watch', header: 'x-watch', secret: 'watch-c31a9b07' } as const

/** Where browsers report how pages have arrived, below the base of an app. */
export const arrivalsPath = '/_waymark/arrivals'

/** Where pages ask for what was changed, below the base of an app. */
export const livePath = '/_waymark/live'

/** Keeps `?size=` requests until all of them are there, or no more come. */
export const barrierPath = '/api/barrier'

/** What an app answers where a cached function gave the result of other arguments. */
export const otherResult = 'RESULT_OF_OTHER_ARGUMENTS'
