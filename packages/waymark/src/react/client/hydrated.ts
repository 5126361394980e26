// React has no public way to find out if an element is hydrated:
// docs/upstream/react-early-input/report.md. If a later React doesn't set the property that this
// file reads, no element counts as hydrated. Components then get no event for text that was typed
// before hydration.

type Fiber = {
  readonly [link in 'return' | 'child' | 'sibling' | 'alternate']: Fiber | null
} & { readonly stateNode: { readonly current: Fiber } }

/**
 * True once React has hydrated an element and calls its event handlers. That is after the commit,
 * which may wait for code to load.
 * @param properties an earlier copy of the element's properties, to find out if the element was
 * hydrated then
 */
export function isHydrated(element: Element, properties: object = element): boolean {
  const fiber = fiberIn(element)
  // After an event that no handler received, React restarts hydration with a new fiber.
  return fiber !== undefined && fiber === fiberIn(properties) && Boolean(committed(fiber))
}

function fiberIn(properties: object): Fiber | undefined {
  return Object.entries(properties).find(([key]) => key.startsWith('__reactFiber'))?.[1]
}

/** Finds the committed version of a fiber, which may itself be part of a pending or abandoned render. */
function committed(fiber: Fiber): Fiber | null | undefined {
  if (!fiber.return) return fiber.stateNode.current
  let child = committed(fiber.return)?.child
  while (child && child !== fiber && child !== fiber.alternate) child = child.sibling
  return child
}
