import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cachedPageHeaders, hasCustomCaching } from '../../builds/cacheControl.ts'
import type {
  PageCacheLife,
  PlannedRoute,
  PrerenderedFile,
  PrerenderedResponse,
  PrerenderedShell,
  PrerenderedUrl,
  Prerenderer,
} from '../../builds/cachedPage.ts'
import { unmounted } from '../../shared/basePath.ts'
import {
  finalStatusHeader,
  navigationFromHeader,
  pagePathnameOf,
  payloadUrl,
} from '../../wire/protocol.ts'
import type {
  ClientFailure,
  PrerenderFailure,
  PrerenderMessage,
  PrerenderOutcome,
} from './prerenderApp.ts'

type Task = { readonly route: PlannedRoute; readonly pathname: string; readonly name: string }

export async function renderAll({
  prerenderer,
  bodies,
  concurrency,
  report,
  publicFiles = [],
  basePath = '',
  hasOwnStores = false,
}: {
  readonly prerenderer: Prerenderer
  readonly basePath?: string
  readonly hasOwnStores?: boolean
  /** Pathnames of the files in `public/`. */
  readonly publicFiles?: readonly string[]
  readonly bodies: BodyWriter
  readonly concurrency: number
  readonly report: (message: PrerenderMessage) => void
}): Promise<Extract<PrerenderMessage, { kind: 'done' | 'failed' }>> {
  const routes = await prerenderer.plan()
  const tasks = tasksOf(routes)
  report({ kind: 'planned', total: tasks.length })
  const rendered = createRendered()
  // The workers share one iterator. Each takes the next task when it is free.
  const waiting = tasks.values()
  const worker = async () => {
    for (const task of waiting) {
      const { route, pathname } = task
      report({ kind: 'started', pathname, file: route.file })
      const result = await prerenderer.render(pathname)
      report({ kind: 'ended', pathname })
      addResult(result, task, { rendered, bodies })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { failures, clientFailures } = rendered
  // A proxy.ts may lead requests out of a loop, so only look for redirect loops without it.
  if (!prerenderer.isProxied) failures.push(...findRedirectLoops(rendered.redirects, basePath))
  if (failures.length > 0) return { kind: 'failed', failures }
  const notFound = await prerenderer.renderNotFound()
  const outcome: PrerenderOutcome = {
    routes: routes.map((route) => describeRoute(route, rendered)),
    files: sorted(rendered.files),
    shells: sorted(rendered.shells),
    clientFailures,
    isProxied: prerenderer.isProxied,
    hasOwnStores,
    guarded: listGuarded(prerenderer, [...rendered.files.keys()], publicFiles),
    notFound: notFound && bodies.write('not-found~.html', notFound),
  }
  return { kind: 'done', outcome }
}

function listGuarded(
  { isGuarded, isGuardedFile }: Prerenderer,
  rendered: readonly string[],
  publicFiles: readonly string[],
): string[] {
  const pages = rendered.filter((pathname) => isGuarded(pagePathnameOf(pathname) ?? pathname))
  return [...pages, ...publicFiles.filter(isGuardedFile)].sort()
}

export function reasonOf(thrown: unknown): Pick<PrerenderFailure, 'reason' | 'stack'> {
  if (!(thrown instanceof Error)) return { reason: String(thrown), stack: null }
  return { reason: thrown.message, stack: thrown.stack ?? null }
}

function tasksOf(routes: readonly PlannedRoute[]): Task[] {
  const nameOf = createFileNames()
  const mayBeStatic = routes.filter(({ dynamicReason }) => dynamicReason === null)
  return mayBeStatic.flatMap((route) =>
    route.pathnames.map((pathname) => ({ route, pathname, name: nameOf(pathname) })),
  )
}

function writePage(
  bodies: BodyWriter,
  name: string,
  pathname: string,
  { document, data, life, isIntercepted }: Extract<PrerenderedUrl, { kind: 'response' }>,
): [pathname: string, file: PrerenderedFile][] {
  const page = bodies.write(`${name}.${data ? 'html' : 'body'}`, document, life)
  if (!data) return [[pathname, { ...page, life }]]
  const file = bodies.write(`${name}.rsc`, data, life)
  const intercepted = isIntercepted ? [navigationFromHeader] : []
  // The handler must respond to requests with these headers: no file contains the screen that a
  // component in the browser asks for.
  const rest = { handlerOnHeaders: [finalStatusHeader, ...intercepted] }
  return [
    [pathname, { ...page, life }],
    [payloadUrl(pathname, ''), { ...file, ...rest }],
  ]
}

type Rendered = ReturnType<typeof createRendered>

function createRendered() {
  return {
    files: new Map<string, PrerenderedFile>(),
    shells: new Map<string, PrerenderedShell>(),
    reasons: new Map<PlannedRoute, string>(),
    redirects: new Map<string, { readonly file: string; readonly location: string }>(),
    failures: [] as PrerenderFailure[],
    clientFailures: [] as ClientFailure[],
  }
}

function addResult(
  result: PrerenderedUrl,
  { route, pathname, name }: Task,
  { rendered, bodies }: { rendered: Rendered; bodies: BodyWriter },
): void {
  const describe = (thrown: unknown) => ({ pathname, file: route.file, ...reasonOf(thrown) })
  switch (result.kind) {
    case 'dynamic':
      rendered.reasons.set(route, `uses ${result.reason}`)
      return
    case 'failed': {
      const failure = describe(result.thrown)
      if (!result.rendersInBrowser) return void rendered.failures.push(failure)
      rendered.reasons.set(route, 'has a client component that throws on the server')
      rendered.clientFailures.push({ ...failure, isInSuspense: false })
      return
    }
    case 'partial': {
      const { shell, life } = result
      rendered.shells.set(pathname, bodies.writeShell(`${name}.shell`, shell, life))
      break
    }
    case 'response':
      for (const [header, location] of result.document.headers) {
        if (header === 'location') rendered.redirects.set(pathname, { file: route.file, location })
      }
      for (const entry of writePage(bodies, name, pathname, result)) {
        rendered.files.set(...entry)
      }
  }
  for (const thrown of result.leftToBrowser) {
    rendered.clientFailures.push({ ...describe(thrown), isInSuspense: true })
  }
}

function findRedirectLoops(redirects: Rendered['redirects'], basePath: string): PrerenderFailure[] {
  const failures: PrerenderFailure[] = []
  const visited = new Set<string>()
  for (const [first] of redirects) {
    const chain: string[] = []
    let pathname: string | null = first
    while (pathname !== null && !visited.has(pathname)) {
      chain.push(pathname)
      visited.add(pathname)
      pathname = targetOf(redirects.get(pathname)?.location, basePath)
    }
    const start = pathname === null ? -1 : chain.indexOf(pathname)
    const file = redirects.get(pathname ?? '')?.file
    if (pathname === null || start < 0 || file === undefined) continue
    const circle = [...chain.slice(start), pathname].join(' → ')
    const reason = `it redirects in a loop, ${circle}. Make one of these pages render something`
    failures.push({ pathname, file, reason, stack: null })
  }
  return failures
}

/** @returns the pathname within the app, or `null` for a location outside it */
function targetOf(location: string | undefined, basePath: string): string | null {
  if (!location?.startsWith('/')) return null
  const [pathname = ''] = location.split(/[?#]/, 1)
  return unmounted(pathname.replace(/(?<=.)\/$/, ''), basePath)
}

function describeRoute(
  route: PlannedRoute,
  { files, shells, reasons }: Rendered,
): PrerenderOutcome['routes'][number] {
  const { rendersOthers, ...described } = route
  const pathnames = route.pathnames.filter((each) => files.has(each) || shells.has(each))
  const reason = pathnames.length > 0 ? null : (reasons.get(route) ?? null)
  // A partial route is static if none of its pages has holes.
  const isWhole = pathnames.length > 0 && pathnames.every((each) => files.has(each))
  return {
    ...described,
    pathnames,
    dynamicReason: route.dynamicReason ?? reason,
    isPartial: route.isPartial && !isWhole,
    onlyPathnames: rendersOthers ? null : route.pathnames,
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export type BodyWriter = ReturnType<typeof createBodyWriter>

const forEver: PageCacheLife = { tags: [], revalidateSeconds: null, expireSeconds: null }

export function createBodyWriter(folder: string, folderName: string) {
  // For small files, the thread pool takes longer than the disk, so write synchronously.
  function writeBody(name: string, body: Uint8Array): string {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, body)
    return `${folderName}/${name}`
  }
  return {
    /**
     * Writes a response.
     *
     * @returns its entry in the manifest
     */
    write(
      name: string,
      { status, headers, body }: PrerenderedResponse,
      life = forEver,
    ): PrerenderedFile {
      const file = writeBody(name, body)
      const caching = hasCustomCaching(headers) ? { hasCustomCaching: true } : {}
      return { file, status, headers: cachedPageHeaders(status, headers, life), ...caching }
    },
    writeShell(name: string, shell: Uint8Array, life: PageCacheLife): PrerenderedShell {
      return { file: writeBody(name, shell), life }
    },
  }
}

// Maximum length of a file name. File systems refuse names of more than 255 bytes, and compressed
// files need room for their extension.
const maxLength = 180

/**
 * Creates a function that turns pathnames into file names without extensions. Plain pathnames stay
 * readable. Different pathnames have different names even on file systems that ignore case.
 */
export function createFileNames(): (pathname: string) => string {
  const used = new Set<string>()
  return (pathname) => {
    const plain = plainName(pathname)
    let name = plain
    for (let count = 2; used.has(name.toLowerCase()); count++) name = `${plain}~${count}`
    used.add(name.toLowerCase())
    return name
  }
}

// Matches names that open a device on Windows, whatever their folder and extension.
const windowsDevice = /(^|\/)((?:con|prn|aux|nul|com\d|lpt\d)(?=[./]|$))/gi

function plainName(pathname: string): string {
  const name = pathname
    .slice(1)
    .replace(/[^\w\-./]/g, '_')
    // Files whose names start with a dot are hidden and aren't served. Some systems remove dots at
    // the end.
    .replace(/(^|\/)\.+|\.+(?=\/|$)/g, '$1_')
    .replace(windowsDevice, '$1_$2')
    .slice(0, maxLength)
  return name.replace(/\/$/, '_') || 'index'
}
