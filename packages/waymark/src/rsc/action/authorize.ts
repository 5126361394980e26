import { loadServerAction } from '@vitejs/plugin-rsc/rsc.node'
import { createElement, Fragment, type ReactNode } from 'react'
import type { BuiltActions } from '../../builds/buildManifest.ts'
import { isClientReference } from '../../react/clientReference.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import type { ActionSettings } from '../../shared/settings.ts'
import { outermostFailure } from '../page/fallbacks.ts'
import { renderFlight } from '../page/flight.ts'
import { runSilently } from '../page/guard.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import { createPageStatus, type PageFailure, type PageStatus } from '../page/pageStatus.ts'
import { type LoadedRouteFile, loadCode, loadFiles } from '../page/routeModules.ts'
import type { SlotPath } from '../page/slotPath.ts'
import type { LogForeign } from '../request/crossOrigin.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { observed } from '../request/serverObserver.ts'
import { type ActionFunction, type LimitsOfAction, limitsOf } from './action.ts'
import type { FileRule } from './fileRules.ts'
import type { Idempotency } from './idempotency.ts'

export type ResolvedAction = {
  readonly id: string
  readonly run: ActionFunction
  readonly limits: LimitsOfAction
  readonly guards: readonly GuardFile[]
}

/** Finds an action among the actions that the matched route imports. */
export function resolveAction(
  id: string,
  page: PageRequest,
  app: ActionApp,
): ResolvedAction | null | Promise<ResolvedAction | null> {
  const listed = app.actions.find(id)
  const guards = listed && guardsOf(page.match.root, listed.files)
  return listed && guards && loadAction(listed, guards, app)
}

/**
 * Returns the limits for a form whose action is not known yet, because the form's body names it. They allow as much as
 * the most generous action of the route, which a client could call instead.
 */
export async function limitsOfForms(
  page: PageRequest,
  app: ActionApp,
): Promise<Pick<LimitsOfAction, 'maxBytes' | 'files'>> {
  let { maxBytes } = app.actionSettings
  const files: Record<string, FileRule> = {}
  for (const id of app.actions.ids()) {
    const { limits } = (await resolveAction(id, page, app)) ?? {}
    maxBytes = Math.max(maxBytes, limits?.maxBytes ?? 0)
    for (const [field, rule] of Object.entries(limits?.files ?? {})) {
      const other = files[field] ?? rule
      files[field] = {
        maxBytes: Math.max(other.maxBytes, rule.maxBytes),
        maxFiles: Math.max(other.maxFiles ?? 1, rule.maxFiles ?? 1),
      }
    }
  }
  return { maxBytes, files }
}

function loadAction(
  listed: ListedAction,
  guards: readonly GuardFile[],
  { actions, actionSettings }: ActionApp,
): ResolvedAction | Promise<ResolvedAction> {
  const resolved = (run: ActionFunction): ResolvedAction => ({
    id: listed.id,
    run,
    limits: limitsOf(run, actionSettings),
    guards,
  })
  const loading = actions.load(listed)
  return loading instanceof Promise ? loading.then(resolved) : resolved(loading)
}

export type GuardFile = {
  readonly file: string
  readonly segment: MatchedSegment
  readonly place: SlotPath | null
}

/**
 * Finds the layouts (and the page) around the file that imports an action. If several files import
 * the action, picks the one with the fewest guards.
 * @returns `null` if none of the files belongs to this route
 */
export function guardsOf(
  root: MatchedSegment,
  files: readonly string[],
): readonly GuardFile[] | null {
  let fewest: readonly GuardFile[] | null = null
  const offer = (guards: readonly GuardFile[]) => {
    if (fewest === null || guards.length < fewest.length) fewest = guards
  }

  function visit(
    segment: MatchedSegment,
    around: readonly GuardFile[],
    place: SlotPath | null,
  ): void {
    const isReaching = (file: string | null | undefined) => !!file && files.includes(file)
    if (segment.kind !== 'folder') {
      const file = segment.page
      if (file !== null && isReaching(file)) offer([...around, { file, segment, place }])
      return
    }
    const { layout, page: _, default: __, 'global-error': outside, ...inside } = segment.node.files
    const guards = layout ? [...around, { file: layout, segment, place }] : around
    if (isReaching(outside)) offer(around)
    if ([layout, ...Object.values(inside)].some(isReaching)) offer(guards)
    for (const [slot, below] of Object.entries(segment.slots)) {
      visit(below, guards, { segment, slot, outer: place, guard: null })
    }
  }

  visit(root, [], null)
  return fewest
}

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

type GuardedRequest = { page: PageRequest; app: PageApp; withinMs: number }

type Verdict = PageFailure | typeof timedOut | null

/**
 * Runs the layouts and the page around an action as guards. If one of them throws, the action must
 * not run.
 */
export function runGuards(
  files: readonly GuardFile[],
  request: GuardedRequest,
): Verdict | Promise<Verdict> {
  const paths = files.map(({ file }) => file)
  const loading = loadFiles(request.app.modules, paths)
  return loading instanceof Promise
    ? loading.then((loaded) => runLoaded(files, loaded, request))
    : runLoaded(files, loading, request)
}

function runLoaded(
  files: readonly GuardFile[],
  loaded: readonly LoadedRouteFile[],
  request: GuardedRequest,
): Verdict | Promise<Verdict> {
  const { page } = request
  const guards: GuardRun[] = []
  const { observer } = page.scope.context
  for (const [at, { file: path, segment, place }] of files.entries()) {
    const file = loaded[at] as LoadedRouteFile
    const component = file.module.default as Component | undefined
    // Client components can't refuse a request on the server.
    if (component === undefined || isClientReference(component)) continue
    const props = propsOf(segment, file, page)
    const run = () => observed(observer, { kind: 'guard', file: path }, () => component(props))
    const isPlain = Object.getPrototypeOf(component) === Function.prototype
    guards.push({ place, run, isPlain })
  }
  page.scope.delayStatus = ignoreRejection
  const doubtful = import.meta.env?.DEV ? guards : guards.filter((guard) => !passesAtOnce(guard))
  return doubtful.length === 0 ? null : renderGuards(doubtful, request)
}

// Prevents an unhandled rejection for a promise that a guard doesn't await.
function ignoreRejection(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => {})
}

type GuardRun = {
  readonly place: SlotPath | null
  readonly run: () => ReactNode | Promise<ReactNode>
  /** False for an async function. */
  readonly isPlain: boolean
}

function propsOf(segment: GuardFile['segment'], file: LoadedRouteFile, page: PageRequest): unknown {
  const params = Promise.resolve(segment.params)
  if (segment.kind === 'folder') return { params, children: null }
  return { params, searchParams: searchParamsReader(page.scope, page.search)(file) }
}

/**
 * Calls a plain function directly, because rendering takes twice as long. If the call doesn't
 * simply return, the guard has to be rendered.
 */
function passesAtOnce({ run, isPlain }: GuardRun): boolean {
  if (!isPlain) return false
  try {
    const output: unknown = run()
    if (!isThenable(output)) return true
    // Ignore the result: the guard is rendered next, and that run decides.
    ignoreRejection(output)
    return false
  } catch {
    return false
  }
}

async function renderGuards(
  guards: readonly GuardRun[],
  { page, app, withinMs }: GuardedRequest,
): Promise<Verdict> {
  const status = createPageStatus({ renderScreen: () => null })
  page.scope.delayStatus = status.delay
  const nodes = guards.map((guard) => guardNode(guard, status))
  const { abandon } = renderFlight(createElement(Fragment, null, ...nodes), (thrown) =>
    app.report(thrown, { ...page, responseStatus: 500 }),
  )
  const settled = await withDeadline(status.settled(nothing), withinMs)
  status.close()
  abandon()
  return outermostFailure(status.failures) ?? (settled === timedOut ? timedOut : null)
}

const nothing = () => Promise.resolve()

function guardNode({ place, run }: GuardRun, status: PageStatus): ReactNode {
  return status.part({ place, render: () => runSilently(run) })
}

/**
 * Returns the slot of a route's page. If the page fails, its screen is shown in this slot or
 * further out.
 */
export function pageSlotOf(root: MatchedSegment): SlotPath | null {
  let place: SlotPath | null = null
  let segment: MatchedSegment | undefined = root
  while (segment?.kind === 'folder') {
    place = { segment, slot: 'children', outer: place, guard: null }
    segment = segment.slots.children
  }
  return place
}

export type ListedAction = {
  readonly id: string
  readonly files: readonly string[]
}

export type FindAction = (id: string) => ListedAction | null

export type ListedActions = {
  readonly isEmpty: () => boolean
  readonly find: FindAction
  readonly ids: () => Iterable<string>
}

export type ActionList = ReturnType<typeof createActionList>

/** Finds and loads actions. An action's id is looked up before any part of the request is decoded. */
export function createActionList(listed: ListedActions) {
  const loaded = new Map<string, ActionFunction>()

  async function load(id: string): Promise<ActionFunction> {
    // plugin-rsc resolves any id, even `__proto__`, so only pass it the build's own ids.
    const run: unknown = await loadCode(loadServerAction(id), `The code of the action ${id}`)
    if (typeof run !== 'function') throw new Error(`The action ${id} is not a function.`)
    if (!import.meta.env?.DEV) loaded.set(id, run as ActionFunction)
    return run as ActionFunction
  }

  return {
    get isEmpty() {
      return listed.isEmpty()
    },
    find: listed.find,
    ids: listed.ids,
    load: ({ id }: ListedAction) => loaded.get(id) ?? load(id),
  }
}

export function findBuiltAction(actions: BuiltActions): FindAction {
  const listed = new Map(Object.entries(actions).map(([id, files]) => [id, { id, files }]))
  return (id) => listed.get(id) ?? null
}

export type ActionApp = PageApp & {
  readonly actions: ActionList
  readonly actionSettings: ActionSettings
  readonly idempotency: Idempotency
  readonly logForeign: LogForeign
}
