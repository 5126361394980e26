// Nothing public says whether React has hydrated an element: see docs/upstream/react-early-input/report.md.
// If React no longer sets this property, every element counts as not hydrated, so that no event is
// dispatched for input that was typed before hydration.

type Fiber = {
  readonly [link in 'return' | 'child' | 'sibling' | 'alternate']: Fiber | null
} & { readonly stateNode: { readonly current: Fiber } }

/**
 * True once React has hydrated an element and calls its handlers: after the commit, which may wait
 * for code.
 * @param properties the properties that the element had at an event, to ask about that moment
 */
export function isHydrated(element: Element, properties: object = element): boolean {
  const fiber = fiberIn(element)
  // React restarts hydration with another fiber after an event that nobody handled.
  return fiber !== undefined && fiber === fiberIn(properties) && Boolean(committed(fiber))
}

function fiberIn(properties: object): Fiber | undefined {
  return Object.entries(properties).find(([key]) => key.startsWith('__reactFiber'))?.[1]
}

/** The committed version of a fiber, which may belong to a pending or an abandoned render. */
function committed(fiber: Fiber): Fiber | null | undefined {
  if (!fiber.return) return fiber.stateNode.current
  let child = committed(fiber.return)?.child
  while (child && child !== fiber && child !== fiber.alternate) child = child.sibling
  return child
}
