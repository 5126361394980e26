import { createElement, Fragment, type ReactNode } from 'react'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { isClientReference } from '../../shared/clientReference.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import { outermostFailure } from '../page/fallbacks.ts'
import { renderFlight } from '../page/flight.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import { createPageRun, type PageFailure, type PageRun } from '../page/pageRun.ts'
import type { LoadedRouteFile } from '../page/routeModules.ts'
import type { SlotPath } from '../page/segments.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { type ActionLimits, limitsOf } from './action.ts'
import type { ActionApp, ActionFunction, ListedAction } from './actionList.ts'

/** An action that the page it was posted to reaches. */
export type ResolvedAction = {
  readonly id: string
  readonly run: ActionFunction
  readonly limits: ActionLimits
  /** The layouts, and the page, that it stands behind. */
  readonly guards: readonly GuardFile[]
}

/**
 * Looks an action up by its id: in the list of the build, then among those that the files of the
 * matched route reach, the page behind an interception included.
 * @returns `null` for what may not be called here
 */
export function resolveAction(
  id: string,
  page: PageRequest,
  app: ActionApp,
): ResolvedAction | null | Promise<ResolvedAction | null> {
  const listed = app.actions.find(id)
  const guards = listed && guardsOf(page.match.root, listed.files)
  return listed && guards && loadAction(listed, guards, app)
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

/** A layout or page, and the slot in which it stands. */
export type GuardFile = {
  readonly file: string
  readonly segment: MatchedSegment
  readonly place: SlotPath | null
}

/**
 * Finds where an action stands in a matched route: the layouts around the file that reaches it,
 * from the root down, and the page when it is the page. Where several files reach it, the one with
 * the least around it counts: nothing more guards it.
 * @param files route files that reach it
 * @returns `null` when none of them is part of this route
 */
export function guardsOf(
  root: MatchedSegment,
  files: readonly string[],
): readonly GuardFile[] | null {
  let found: readonly GuardFile[] | null = null
  const offer = (guards: readonly GuardFile[]) => {
    if (found === null || guards.length < found.length) found = guards
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
  return found
}

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/** The request of an action behind guards; `withinMs` is the time they have. */
type GuardedRequest = { page: PageRequest; app: PageApp; withinMs: number }

/** The outermost failure of the guards; `null` where the action may run. */
type Verdict = PageFailure<SlotPath | null> | typeof timedOut | null

/**
 * Runs the layouts, and the page, that an action stands behind: what they throw prevents
 * that it runs. Their output is thrown away.
 * @param files from the root down
 */
export function runGuards(
  files: readonly GuardFile[],
  request: GuardedRequest,
): Verdict | Promise<Verdict> {
  const loading = files.map(({ file }) => request.app.modules.load(file))
  const isLoaded = (file: LoadedRouteFile | Promise<LoadedRouteFile>): file is LoadedRouteFile =>
    !(file instanceof Promise)
  return loading.every(isLoaded)
    ? runLoaded(files, loading, request)
    : Promise.all(loading).then((loaded) => runLoaded(files, loaded, request))
}

function runLoaded(
  files: readonly GuardFile[],
  loaded: readonly LoadedRouteFile[],
  request: GuardedRequest,
): Verdict | Promise<Verdict> {
  const { page } = request
  const guards: GuardRun[] = []
  for (const [at, { segment, place }] of files.entries()) {
    const file = loaded[at] as LoadedRouteFile
    const component = file.module.default as Component | undefined
    // One that runs in the browser decides nothing.
    if (component === undefined || isClientReference(component)) continue
    guards.push({ place, component, props: propsOf(segment, file, page) })
  }
  page.scope.hold = ignoreRejection
  const doubtful = import.meta.env?.DEV ? guards : guards.filter((guard) => !passesAtOnce(guard))
  return doubtful.length === 0 ? null : renderGuards(doubtful, request)
}

// A plain function that passes blocks nothing; what it left rejecting is no unhandled rejection.
function ignoreRejection(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => {})
}

type GuardRun = {
  readonly place: SlotPath | null
  readonly component: Component
  readonly props: unknown
}

function propsOf(segment: GuardFile['segment'], file: LoadedRouteFile, page: PageRequest): unknown {
  const params = Promise.resolve(segment.params)
  if (segment.kind === 'folder') return { params, children: null }
  return { params, searchParams: searchParamsReader(page.scope, page.search)(file) }
}

/**
 * Whether a plain function passes without being rendered: most layouts await nothing, and a
 * rendering costs as much as the response. One that throws, be it for want of a hook, is rendered.
 */
function passesAtOnce({ component, props }: GuardRun): boolean {
  if (Object.getPrototypeOf(component) !== Function.prototype) return false
  try {
    const output: unknown = component(props)
    if (!isThenable(output)) return true
    // It runs once more, and then it counts.
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
  const run = createPageRun<SlotPath | null>({ onLateFailure: () => null })
  page.scope.hold = run.hold
  const nodes = guards.map((guard) => guardNode(guard, run))
  const { abandon } = renderFlight(createElement(Fragment, null, ...nodes), (thrown) =>
    app.report(thrown, { ...page, responseStatus: 500 }),
  )
  // No output follows a guard, so there is nothing of it to render.
  const settled = await withDeadline(run.settled(nothing), withinMs)
  run.close()
  abandon()
  return outermostFailure(run.failures) ?? (settled === timedOut ? timedOut : null)
}

const nothing = () => Promise.resolve()

function guardNode(
  { place, component, props }: GuardRun,
  run: PageRun<SlotPath | null>,
): ReactNode {
  // Not async itself: what `use` throws to wait for a promise is React's, and no failure.
  const render = () => {
    const output: unknown = component(props)
    return isThenable(output) ? Promise.resolve(output).then(() => null) : null
  }
  return run.part({ place, render })
}

/** The slot of a route's page: its failures are shown there, or further out. */
export function pageSlotOf(root: MatchedSegment): SlotPath | null {
  let place: SlotPath | null = null
  let segment: MatchedSegment | undefined = root
  while (segment?.kind === 'folder') {
    place = { segment, slot: 'children', outer: place, guard: null }
    segment = segment.slots.children
  }
  return place
}
