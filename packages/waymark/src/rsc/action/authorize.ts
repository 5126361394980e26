import { createElement, Fragment, type ReactNode } from 'react'
import type { MatchedFolder, MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import { isThenable, timedOut } from '../../shared/promises.ts'
import { isClientReference } from '../page/clientComponents.ts'
import { outermostFailure } from '../page/fallbacks.ts'
import { renderFlight } from '../page/flight.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import type { RouteFile } from '../page/routeModules.ts'
import type { SlotPath } from '../page/segments.ts'
import { createStatusGate, type Failure, type StatusGate } from '../page/statusGate.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import type { ActionApp, ActionFunction, ListedAction } from './actionList.ts'
import { limitsOf } from './runAction.ts'

/** An action that the page it was posted to reaches. */
export type ResolvedAction = {
  readonly run: ActionFunction
  readonly limits: ReturnType<typeof limitsOf>
  /** The layouts, and the page, that it stands behind. */
  readonly standing: readonly GuardFile[]
}

/**
 * Tells whether proxy.ts lets the client pass to what an intercepting page is shown over. proxy.ts
 * has seen the URL of the intercepting page only, and the client says what is behind it.
 */
export type IsBackgroundOpen = () => boolean | Promise<boolean>

/**
 * Looks an action up by its id: in the list of the build, then among those that the files of the
 * matched route reach. One that only the background of an interception reaches is admitted where
 * that is open.
 * @returns `null` for what may not be called here; at once where the action was loaded before
 */
export function resolveAction(
  id: string,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): ResolvedAction | null | Promise<ResolvedAction | null> {
  const listed = app.actions.find(id)
  if (listed === null) return null
  const { root } = page.match
  const standing = guardsOf(root, listed.files, 'shown')
  if (standing) return loadAction(listed, standing, app)
  const behind = guardsOf(root, listed.files, 'background')
  return behind && admitBehind(listed, behind, app, isBackgroundOpen)
}

async function admitBehind(
  listed: ListedAction,
  standing: ResolvedAction['standing'],
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): Promise<ResolvedAction | null> {
  return (await isBackgroundOpen()) ? loadAction(listed, standing, app) : null
}

function loadAction(
  listed: ListedAction,
  standing: ResolvedAction['standing'],
  { actions, actionSettings }: ActionApp,
): ResolvedAction | Promise<ResolvedAction> {
  const admit = (run: ActionFunction) => ({ run, limits: limitsOf(run, actionSettings), standing })
  const run = actions.load(listed)
  return run instanceof Promise ? run.then(admit) : admit(run)
}

/** A layout or page, with the place in which it stands. */
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
 * @param part what counts: of a route that is shown over another one, its own files, or those of
 * the other
 * @returns `null` when none of them is part of this route
 */
export function guardsOf(
  root: MatchedSegment,
  files: readonly string[],
  part: 'shown' | 'background',
): readonly GuardFile[] | null {
  let found: readonly GuardFile[] | null = null
  const offer = (line: readonly GuardFile[]) => {
    if (found === null || line.length < found.length) found = line
  }

  const isReaching = (file: string | undefined, { background }: MatchedSegment) =>
    file !== undefined && background === (part === 'background') && files.includes(file)

  function visit(segment: MatchedSegment, around: readonly GuardFile[], outer: SlotPath | null) {
    if (segment.kind === 'folder') folder(segment, around, outer)
    else leaf(segment, around, outer)
  }

  function leaf(segment: MatchedLeaf, around: readonly GuardFile[], place: SlotPath | null) {
    const file = segment.page
    if (file !== null && isReaching(file, segment)) offer([...around, { file, segment, place }])
  }

  function folder(segment: MatchedFolder, around: readonly GuardFile[], outer: SlotPath | null) {
    const { node, slots } = segment
    const {
      layout,
      page: _page,
      default: _default,
      'global-error': outside,
      ...inside
    } = node.files
    if (isReaching(outside, segment)) offer(around)
    const line = layout ? [...around, { file: layout, segment, place: outer }] : around
    if (isReaching(layout, segment)) offer(line)
    for (const file of Object.values(inside)) if (isReaching(file, segment)) offer(line)
    for (const [slot, below] of Object.entries(slots)) {
      visit(below, line, { segment, slot, outer, passage: null })
    }
  }

  visit(root, [], null)
  return found
}

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/** What guards stand before; `withinMs` is the time they have. */
export type Guarded = {
  readonly page: PageRequest
  readonly app: PageApp
  readonly withinMs: number
}

/** The outermost of what guards threw; `null` where the action may run. */
export type Verdict = Failure<SlotPath | null> | typeof timedOut | null

/**
 * Runs the layouts, and the page, that an action stands behind: what they throw keeps it from
 * running. Their output is thrown away.
 * @param standing from the root down
 */
export function runGuards(
  standing: readonly GuardFile[],
  guarded: Guarded,
): Verdict | Promise<Verdict> {
  const { page, app } = guarded
  const guards: Guard[] = []
  for (const { file, segment, place } of standing) {
    const loaded = app.modules.load(file)
    // The first time.
    if (loaded instanceof Promise) return loaded.then(() => runGuards(standing, guarded))
    const component = loaded.module.default as Component | undefined
    // One that runs in the browser decides nothing.
    if (component === undefined || isClientReference(component)) continue
    guards.push({ place, component, props: propsOf(segment, loaded, page) })
  }
  page.scope.hold = keepQuiet
  const doubtful = import.meta.env?.DEV ? guards : guards.filter((guard) => !passesAtOnce(guard))
  return doubtful.length === 0 ? null : renderGuards(doubtful, guarded)
}

// Of a plain function it keeps nothing back; nobody else may hear of what it rejects with.
function keepQuiet(promise: Promise<unknown>): void {
  promise.catch(ignore)
}

function ignore(): void {}

type Guard = {
  readonly place: SlotPath | null
  readonly component: Component
  readonly props: unknown
}

function propsOf(segment: GuardFile['segment'], file: RouteFile, page: PageRequest): unknown {
  const params = Promise.resolve(segment.params)
  if (segment.kind === 'folder') return { params, children: null }
  return { params, searchParams: searchParamsReader(page.scope, page.search)(file) }
}

/**
 * Tells whether a plain function passes without being rendered: most layouts await nothing, and a
 * rendering costs as much as the answer. One that throws, be it for want of a hook, is rendered.
 */
function passesAtOnce({ component, props }: Guard): boolean {
  if (Object.getPrototypeOf(component) !== Function.prototype) return false
  try {
    const output: unknown = component(props)
    if (!isThenable(output)) return true
    // It runs once more, and then it counts.
    output.then(ignore, ignore)
    return false
  } catch {
    return false
  }
}

async function renderGuards(
  guards: readonly Guard[],
  { page, app, withinMs }: Guarded,
): Promise<Verdict> {
  const gate = createStatusGate<SlotPath | null>(() => null)
  page.scope.hold = gate.hold
  const nodes = guards.map((guard) => guardNode(guard, gate))
  const { abandon } = renderFlight(createElement(Fragment, null, ...nodes), (thrown) =>
    app.report(thrown, { ...page, answerStatus: 500 }),
  )
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    gate.close()
  }, withinMs)
  while (!gate.isSettled()) {
    await gate.whenSettled()
    // What the last one rendered may call gate() now.
    await Promise.resolve()
  }
  clearTimeout(deadline)
  gate.close()
  abandon()
  return outermostFailure(gate.failures) ?? (isLate ? timedOut : null)
}

function guardNode(
  { place, component, props }: Guard,
  gate: StatusGate<SlotPath | null>,
): ReactNode {
  // Not async itself: what `use` throws to wait for a promise is React's, and no failure.
  const run = () => {
    const output: unknown = component(props)
    return isThenable(output) ? Promise.resolve(output).then(() => null) : null
  }
  return gate.decide(place, run, { outer: null, own: null })
}

/** The place in which the page of a route stands: its failures are answered from there outwards. */
export function pageSlotOf(root: MatchedSegment): SlotPath | null {
  let place: SlotPath | null = null
  let segment: MatchedSegment | undefined = root
  while (segment?.kind === 'folder') {
    place = { segment, slot: 'children', outer: place, passage: null }
    segment = segment.slots.children
  }
  return place
}
