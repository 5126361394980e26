import { createElement, Fragment, type ReactNode } from 'react'
import { timedOut } from '../../shared/deadline.ts'
import { isThenable } from '../../shared/isThenable.ts'
import { isClientReference } from '../page/clientReference.ts'
import { renderFlight } from '../page/flight.ts'
import { createStatusGate, type Failure, type StatusGate } from '../page/gate.ts'
import { outermostFailure } from '../page/outcome.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import type { RouteFile } from '../page/routeModules.ts'
import type { SlotPath } from '../page/segments.ts'
import { searchParamsReader } from '../request/searchParams.ts'
import type { GuardFile } from './standing.ts'

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
