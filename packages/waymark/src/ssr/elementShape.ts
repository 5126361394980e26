import { type Shape, sizeOf } from '../shared/htmlReference.ts'
import {
  attributeOf,
  isNothing,
  isPlain,
  isReadAsGiven,
  mayHoldText,
  type Surroundings,
} from './readableHtml.ts'

/** What is counted of all elements so far. */
export type ElementCounts = {
  /** Names of properties by those of their attributes, where they differ. */
  readonly names: Record<string, string>
  readonly isReadable: (text: string) => boolean
  /** As in a reference. */
  size: number
  /** How much was found so far that only React writes. */
  oddities: number
}

/** Whether a text refers to nothing. */
export function isPlainText(text: string): boolean {
  return !text.startsWith('$') || text.startsWith('$$')
}

export function shapeOfText(
  text: string,
  around: Surroundings | null,
  counts: ElementCounts,
): Shape | null {
  if (text === '') return { n: text }
  counts.size += sizeOf(text.startsWith('$') ? text.slice(1) : text)
  return counts.isReadable(text) && mayHoldText(around) ? 0 : null
}

const none: Readonly<Record<string, unknown>> = {}

/** @returns what the attributes do not tell; `null` where it is not known what they do */
export function readProps(
  props: Record<string, unknown>,
  counts: ElementCounts,
): Readonly<Record<string, unknown>> | null {
  let own: Record<string, unknown> | null = null
  for (const prop in props) {
    if (prop === 'children') continue
    const value = props[prop]
    const attribute = attributeOf(prop)
    if (attribute === null) return null
    if (attribute.read !== prop) counts.names[attribute.read] = prop
    if (typeof value === 'string' && isReadAsGiven(attribute, value) && counts.isReadable(value)) {
      counts.size += sizeOf(value) + sizeOf(attribute.read)
      continue
    }
    if (!isPlain(value)) return null
    if (!isNothing(value)) counts.oddities++
    own ??= {}
    own[prop] = value
  }
  return own ?? none
}

export function shapeOf(
  key: string | null,
  own: Readonly<Record<string, unknown>>,
  c: Shape | undefined,
): Shape {
  if (c === undefined && own === none) return key ?? 0
  return {
    ...(key === null ? {} : { k: key }),
    ...(own === none ? {} : { p: own }),
    ...(c === undefined ? {} : { c }),
  }
}

/** Whether the DOM alone tells the children. */
export function isDefault(shape: Shape | undefined): boolean {
  if (!Array.isArray(shape)) return shape === undefined || shape === 0
  return shape.length > 1 && shape.every((each) => each === 0)
}
