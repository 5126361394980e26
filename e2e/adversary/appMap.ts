/** The value of the cookie that the guards of the fixture let pass. */
export const adminRole = 'admin-4f1d7c2a'

/** Who may run an action: anybody, whoever has the cookie of an administrator, nobody. */
export type Access = 'anybody' | 'admin' | 'nobody'

/** The pages of the fixture with actions, and the actions of each. */
export const actionsByPage: Readonly<Record<string, readonly string[]>> = {
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

/** The name of every action. */
export const actionNames: readonly string[] = Object.values(actionsByPage).flat()

/** Says who may run an action, by its name. */
export function accessOf(action: string): Access {
  if (action === 'shutAct') return 'nobody'
  const open = [actionsByPage['/open'], actionsByPage['/login'], actionsByPage['/state']].flat()
  return open.includes(action) ? 'anybody' : 'admin'
}

const guards = ['prompt', 'late', 'hook', 'thenable', 'shut']

/** Pages by what they are for; the first part of a label in a report. */
export const areas: Readonly<Record<string, readonly string[]>> = {
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

/** The paths of all areas. */
export const paths: readonly string[] = Object.values(areas).flat()

/** Every folder with a layout or a slot, as the protocol names what a browser has mounted. */
export const segmentKeys: readonly string[] = [
  ...['/', '/client', '/part', '/part/area', '/part/area/inner', '/admin', '/photo/1'],
  ...guards.flatMap((kind) => [`/guard/${kind}`, `/guard/${kind}/inner`]),
  ...paths,
]

/** What a page or layout that refuses must not let out, by who may see it. */
export const guardedText = { admin: 'GUARDED_', nobody: 'CLOSED_' } as const

/** The header with which a request tells the fixture which one it is. */
export const requestHeader = 'x-adversary'

/** How the fixture is asked what its actions have seen. */
export const watch = { path: '/watch', header: 'x-watch', secret: 'watch-c31a9b07' } as const

/** Keeps `?size=` requests until all of them are there, or no more come. */
export const barrierPath = '/api/barrier'
