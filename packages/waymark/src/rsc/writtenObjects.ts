/**
 * Which objects React's Flight renderer has to know again. It enters every object of a tree into a
 * WeakMap, to refer to it where it stands once more; that took a third of what Flight takes for a
 * page of short elements. What is written out twice as short as a reference to it needs no entry.
 * @see docs/decisions/rendering-cost.md
 */

const elementType = Symbol.for('react.transitional.element')

type Props = Readonly<Record<string, unknown>>

/** More text than this is worth a reference. */
const maxText = 200

/** Tells whether an element of React's is a host element without anything inside but short text. */
export function isShortElement({ type, props }: { type: unknown; props: Props }): boolean {
  return typeof type === 'string' && isShort(props)
}

/** The same of what React makes of an element, also of a client component's. */
export function isShortTuple(model: Readonly<Record<number, unknown>>): boolean {
  const { 0: type, 3: props } = model
  return (
    type === elementType && typeof props === 'object' && props !== null && isShort(props as Props)
  )
}

function isShort(props: Props): boolean {
  // Where most that is not short has its content.
  if (!isShortValue(props.children)) return false
  for (const name in props) if (!isShortValue(props[name])) return false
  return true
}

function isShortValue(value: unknown): boolean {
  if (typeof value === 'object') return value === null
  return typeof value !== 'string' || value.length <= maxText
}

/**
 * Tells whether a value is the props of an element. React asks of each object whether it is one of
 * some twenty kinds, which props are not.
 */
export function isPropsOf(parent: unknown, name: string, value: object): boolean {
  if (name !== '3' || !Array.isArray(parent) || parent[0] !== elementType) return false
  return Object.getPrototypeOf(value) === Object.prototype
}
