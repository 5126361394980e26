// Nothing public says whether React has hydrated an element: see docs/upstream/react-early-input.md.
// Where React's property is missing, an element counts as not hydrated, and components hear nothing.

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
  // React had rendered it only: at an event that nobody hears, it starts anew, with another fiber.
  return fiber !== undefined && fiber === fiberIn(properties) && Boolean(committed(fiber))
}

function fiberIn(properties: object): Fiber | undefined {
  return Object.entries(properties).find(([key]) => key.startsWith('__reactFiber'))?.[1]
}

/** What React has committed of a fiber, which may be of a render that goes on or was given up. */
function committed(fiber: Fiber): Fiber | null | undefined {
  if (!fiber.return) return fiber.stateNode.current
  let child = committed(fiber.return)?.child
  while (child && child !== fiber && child !== fiber.alternate) child = child.sibling
  return child
}
