// Nothing public says whether React has hydrated an element: see docs/upstream/react-early-input.md.
// Where the property is not found, an element counts as not hydrated, and nothing is told to components.

type Fiber = {
  readonly [link in 'return' | 'child' | 'sibling' | 'alternate']: Fiber | null
} & { readonly stateNode: { readonly current: Fiber } }

/**
 * Whether React has taken an element over, and calls its handlers: once it has committed what it
 * rendered, which may wait for code.
 * @param properties those that the element had at an event, for whether it was so then
 */
export function isOfReact(element: Element, properties: object = element): boolean {
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
