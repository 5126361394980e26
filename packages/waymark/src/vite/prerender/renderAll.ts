import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cachedPageHeaders, hasOwnCaching } from '../../shared/cacheControl.ts'
import type {
  PageCacheLife,
  PlannedRoute,
  PrerenderedFile,
  PrerenderedResponse,
  PrerenderedShell,
  PrerenderedUrl,
  Prerenderer,
} from '../../shared/cachedPage.ts'
import { navigationFromHeader, payloadUrl } from '../../shared/protocol.ts'
import type { PrerenderFailure, PrerenderOutcome, WorkerMessage } from './messages.ts'

/** What rendering all URLs needs. */
export type RenderAllOptions = {
  readonly prerenderer: Prerenderer
  readonly bodies: BodyWriter
  readonly concurrency: number
  readonly tell: (message: WorkerMessage) => void
}

type Task = { readonly route: PlannedRoute; readonly pathname: string; readonly name: string }
type Answered = Extract<PrerenderedUrl, { kind: 'answer' }>

/** What rendering all URLs came to. */
export type RenderAllResult = Extract<WorkerMessage, { kind: 'done' | 'failed' }>

/** Renders and writes all URLs that an app's routes list. */
export async function renderAll({
  prerenderer,
  bodies,
  concurrency,
  tell,
}: RenderAllOptions): Promise<RenderAllResult> {
  const routes = await prerenderer.plan()
  const tasks = tasksOf(routes)
  tell({ kind: 'planned', total: tasks.length })
  const failures: PrerenderFailure[] = []
  const files = new Map<string, PrerenderedFile>()
  const shells = new Map<string, PrerenderedShell>()
  const reasons = new Map<PlannedRoute, string>()

  const renderOne = async ({ route, pathname, name }: Task) => {
    tell({ kind: 'started', pathname, file: route.file })
    const rendered = await prerenderer.render(pathname)
    tell({ kind: 'ended', pathname })
    switch (rendered.kind) {
      case 'dynamic':
        reasons.set(route, `uses ${rendered.reason}`)
        return
      case 'failed':
        failures.push(failureOf(rendered.thrown, pathname, route.file))
        return
      case 'partial':
        shells.set(
          pathname,
          await bodies.writeShell(`${name}.shell`, rendered.shell, rendered.life),
        )
        return
      case 'answer':
        for (const entry of await writeAnswer(bodies, rendered, pathname, name)) files.set(...entry)
    }
  }

  await runPool(tasks, concurrency, renderOne)
  if (failures.length > 0) return { kind: 'failed', failures }
  const notFound = await prerenderer.renderNotFound()
  const outcome: PrerenderOutcome = {
    routes: routes.map((route) => outcomeOf(route, { files, shells }, reasons.get(route))),
    files: Object.fromEntries([...files].sort(byPathname)),
    shells: Object.fromEntries([...shells].sort(byPathname)),
    isProxied: prerenderer.isProxied,
    notFound: notFound && (await bodies.write('not-found~.html', notFound)),
  }
  await bodies.removeOthers()
  return { kind: 'done', outcome }
}

function tasksOf(routes: readonly PlannedRoute[]): Task[] {
  const nameOf = createFileNames()
  const mayBeStatic = routes.filter(({ dynamicReason }) => dynamicReason === null)
  return mayBeStatic.flatMap((route) =>
    route.pathnames.map((pathname) => ({ route, pathname, name: nameOf(pathname) })),
  )
}

async function runPool<T>(
  tasks: readonly T[],
  concurrency: number,
  run: (task: T) => Promise<void>,
): Promise<void> {
  const waiting = tasks.values()
  // They share one iterator: each takes the next task as it becomes free.
  const worker = async () => {
    for (const task of waiting) await run(task)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function writeAnswer(
  bodies: BodyWriter,
  { document, data, life, isIntercepted }: Answered,
  pathname: string,
  name: string,
): Promise<[pathname: string, file: PrerenderedFile][]> {
  const end = data === null ? 'body' : 'html'
  const page = { ...(await bodies.write(`${name}.${end}`, document, life)), life }
  if (data === null) return [[pathname, page]]
  const written = await bodies.write(`${name}.rsc`, data, life)
  const file = isIntercepted ? { ...written, handlerOnHeaders: [navigationFromHeader] } : written
  return [
    [pathname, page],
    [payloadUrl(pathname, ''), file],
  ]
}

type Rendered = {
  readonly files: ReadonlyMap<string, PrerenderedFile>
  readonly shells: ReadonlyMap<string, PrerenderedShell>
}

function outcomeOf(
  route: PlannedRoute,
  { files, shells }: Rendered,
  reason: string | undefined,
): PrerenderOutcome['routes'][number] {
  const { pattern, kind, file, revalidateSeconds } = route
  const pathnames = route.pathnames.filter((each) => files.has(each) || shells.has(each))
  const dynamicReason = route.dynamicReason ?? (pathnames.length > 0 ? null : (reason ?? null))
  const onlyPathnames = route.answersOthers ? null : route.pathnames
  // What asks for it and has no holes at any of its URLs is static.
  const isWhole = pathnames.length > 0 && pathnames.every((each) => files.has(each))
  const rendered = { dynamicReason, isPartial: route.isPartial && !isWhole }
  return { pattern, kind, file, revalidateSeconds, pathnames, ...rendered, onlyPathnames }
}

function failureOf(thrown: unknown, pathname: string, file: string): PrerenderFailure {
  const isError = thrown instanceof Error
  const reason = isError ? thrown.message : String(thrown)
  return { pathname, file, reason, stack: (isError && thrown.stack) || null }
}

function byPathname([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Writes the bodies of prerendered answers. */
export type BodyWriter = {
  /**
   * @param file relative to the folder
   * @param life decides what caches are told; without it, what does not change
   * @returns the answer as the manifest lists it
   */
  write(file: string, answer: PrerenderedResponse, life?: PageCacheLife): Promise<PrerenderedFile>
  /** Writes the shell of a page that is static in part. @param file relative to the folder */
  writeShell(file: string, shell: Uint8Array, life: PageCacheLife): Promise<PrerenderedShell>
  /** Removes files that earlier builds wrote and this one did not. */
  removeOthers(): Promise<void>
}

const forEver: PageCacheLife = { tags: [], revalidateSeconds: null, expireSeconds: null }

/**
 * Makes the writer of a folder. A body that did not change is not written again, so that its
 * compressed siblings stay true.
 * @param folderName of the folder, as seen from the manifest
 */
export function createBodyWriter(folder: string, folderName: string): BodyWriter {
  const written = new Set<string>()
  return {
    async write(file, { status, headers, body }, life = forEver) {
      written.add(file)
      await writeIfChanged(path.join(folder, file), body)
      return {
        file: `${folderName}/${file}`,
        status,
        headers: cachedPageHeaders(status, headers, life),
        ...(hasOwnCaching(headers) ? { hasOwnCaching: true } : {}),
      }
    },
    async writeShell(file, shell, life) {
      written.add(file)
      await writeIfChanged(path.join(folder, file), shell)
      return { file: `${folderName}/${file}`, life }
    },
    async removeOthers() {
      for (const file of await filesBelow(folder)) {
        const isKept = written.has(file) || written.has(file.replace(/\.(?:br|gz|zst)$/, ''))
        if (!isKept) await rm(path.join(folder, file))
      }
    },
  }
}

async function writeIfChanged(file: string, body: Uint8Array): Promise<void> {
  const old = await readFile(file).catch(() => null)
  if (old?.equals(body)) return
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, body)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))
}

// Longer names are refused by file systems, and compressed siblings need room for their ends.
const maxLength = 180

/**
 * Makes names for the files of pathnames, readable where the pathname is plain. Two pathnames
 * that a file system might not tell apart get different ones.
 * @returns gives a name without an extension: `index`, `blog/first-post`
 */
export function createFileNames(): (pathname: string) => string {
  const taken = new Set<string>()
  return (pathname) => {
    const plain = plainName(pathname)
    let name = plain
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${plain}~${count}`
    taken.add(name.toLowerCase())
    return name
  }
}

function plainName(pathname: string): string {
  const name = pathname
    .slice(1)
    .replace(/[^\w\-./]/g, '_')
    // Hidden files are not served, and dots at an end are dropped by some systems.
    .replace(/(^|\/)\.+|\.+(?=\/|$)/g, '$1_')
    .slice(0, maxLength)
  return name.replace(/\/$/, '_') || 'index'
}
