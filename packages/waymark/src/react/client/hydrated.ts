// React has no public way to find out if an element is hydrated:
// docs/upstream/react-early-input/report.md. If React stops setting the property that this file
// reads, no element counts as hydrated, so components get no event for text that was typed before
// hydration.

type Fiber = {
  readonly [link in 'return' | 'child' | 'sibling' | 'alternate']: Fiber | null
} & { readonly stateNode: { readonly current: Fiber } }

/**
 * True once React has hydrated an element and calls its event handlers. React does so after the
 * commit, which may wait for code to load.
 * @param properties a copy of the element's properties from an earlier moment, to find out if the
 *   element was already hydrated at that moment
 */
export function isHydrated(element: Element, properties: object = element): boolean {
  const fiber = fiberIn(element)
  // React restarts hydration with a new fiber after an event that no handler received.
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
