import { createElement, Fragment, type ReactNode } from 'react'
import { isClientReference } from '../page/clientReference.ts'
import { renderFlight } from '../page/flight.ts'
import { createGate, type Failure, type Gate } from '../page/gate.ts'
import { outermost } from '../page/outcome.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import type { RouteFile } from '../page/routeModules.ts'
import type { Place } from '../page/segments.ts'
import { searchParamsReader } from '../request/searchParams.ts'
import type { StandingFile } from './standing.ts'

type Component = (props: unknown) => ReactNode | Promise<ReactNode>

/**
 * Runs the layouts, and the page, that an action stands behind: what they throw keeps it from
 * running. Their output is thrown away.
 * @param standing from the root down
 * @returns the outermost of what they threw; `null` where the action may run
 */
export async function runGuards(
  standing: readonly StandingFile[],
  page: PageRequest,
  app: PageApp,
): Promise<Failure<Place | null> | null> {
  const files = await Promise.all(standing.map(({ file }) => app.modules.load(file)))
  const gate = createGate<Place | null>(() => null)
  page.scope.hold = gate.hold
  const nodes = standing.map((each, index) =>
    guardNode(each, files[index] as RouteFile, page, gate),
  )
  if (nodes.every((node) => node === null)) return null
  const { abandon } = renderFlight(createElement(Fragment, null, ...nodes), (thrown) =>
    app.report(thrown, { ...page, answerStatus: 500 }),
  )
  while (!gate.settled) {
    await gate.whenSettled()
    // What the last one rendered may call gate() now.
    await Promise.resolve()
  }
  gate.close()
  abandon()
  return outermost(gate.failures)
}

function guardNode(
  { segment, place }: StandingFile,
  file: RouteFile,
  page: PageRequest,
  gate: Gate<Place | null>,
): ReactNode {
  const component = file.module.default as Component | undefined
  // It decides nothing: it runs in the browser.
  if (component === undefined || isClientReference(component)) return null
  const params = Promise.resolve(segment.params)
  const props =
    segment.kind === 'folder'
      ? { params, children: null }
      : { params, searchParams: searchParamsReader(page.scope, page.search)(file) }
  if (!import.meta.env?.DEV && passesAtOnce(component, props)) return null
  // Not async itself: what `use` throws to wait for a promise is React's, and no failure.
  const run = () => {
    const output = component(props)
    return output instanceof Promise ? output.then(() => null) : null
  }
  return gate.decide(place, run, { outer: null, own: null })
}

/**
 * Tells whether a plain function passes without being rendered: most layouts await nothing, and a
 * rendering costs as much as the answer. One that throws, be it for want of a hook, is rendered.
 */
function passesAtOnce(component: Component, props: unknown): boolean {
  if (Object.getPrototypeOf(component) !== Function.prototype) return false
  try {
    const output = component(props)
    if (!(output instanceof Promise)) return true
    // It runs once more, and then it counts.
    output.catch(() => {})
    return false
  } catch {
    return false
  }
}
