import type { PrerenderedFile, PrerenderedShell } from '../../shared/prerendered.ts'
import type { PlannedRoute, PrerenderedUrl, Prerenderer } from '../../shared/prerendering.ts'
import { navigationFromHeader, payloadUrl } from '../../shared/protocol.ts'
import type { BodyWriter } from './bodies.ts'
import { createFileNames } from './fileNames.ts'
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
