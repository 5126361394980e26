import {
  characterSize,
  type HtmlReference,
  referencePrefix,
  type Shape,
  sizeOf,
} from '../shared/htmlReference.ts'
import {
  type ElementCounts,
  isDefault,
  isPlainText,
  readProps,
  shapeOf,
  shapeOfText,
} from './elementShape.ts'
import type { Container, FlightRows, Row, Tuple } from './payloadRows.ts'
import { createTextCheck, type Surroundings, surroundingsIn } from './readableHtml.ts'

/** An element that is worth a reference, and its place. */
export type ReadableChild = {
  in: Container
  at: string | number
  row: Row
  readonly tuple: Tuple
  readonly shape: Shape
  /** Among its siblings. */
  readonly index: number
  /** As in a reference. */
  readonly size: number
  /** React writes what is inside of it as `childrenHtml` does. */
  isWritable: boolean
}

/** Elements beside each other, and what they are inside of. */
type Siblings = {
  readonly reducer: Reducer
  readonly row: Row
  readonly around: Surroundings | null
  /** Those of the element that they are inside of, and its index; `null` where counting begins. */
  readonly outer: Siblings | null
  readonly outerIndex: number
  readonly origin: Origin | null
  readonly list: List
}

/** What stands beside each other. */
type List = {
  readonly elements: ReadableChild[]
  /** Of elements, and of what may be any number of them. */
  count: number
  /** Of the latter; -1 for none. */
  firstUnknown: number
  lastUnknown: number
}

/**
 * From where elements are counted, forwards and backwards: the XPath of a node, and the axis;
 * `null` outside of `<body>`.
 */
export type Origin = Readonly<Record<'start' | 'end', readonly [node: string, axis: string]>>

const bodyOrigin: Origin = { start: ['..', ''], end: ['.', 'preceding-sibling::'] }

/** A payload that is being reduced. */
export type Reducer = ElementCounts & {
  readonly rows: FlightRows
  readonly root: Row
  readonly origins: string[]
  readonly references: HtmlReference[]
  /** The elements that are left out, in the same order. */
  readonly replaced: ReadableChild[]
  /** Elements of which some have to stay. */
  readonly mixed: Siblings[]
  depth: number
}

/** Smaller elements are not worth a reference, which is about 30 characters long. */
const minSize = 200 * characterSize

/** A browser looks each of them up: more would take it longer than to read the payload. */
const maxReferences = 300

/** What stands deeper stays: a stack has an end, and content is as deep as somebody likes. */
const maxDepth = 250

/** @param text of the rows */
export function createReducer(text: string, rows: FlightRows): Reducer {
  const isReadable = createTextCheck(text)
  const root = rows.byId.get('0') ?? { id: '0', value: [{}] as unknown as Container, state: 'same' }
  // No spread, here and below: in V8 11 each result gets a hidden class of its own.
  return {
    rows,
    root,
    isReadable,
    names: {},
    origins: [],
    references: [],
    replaced: [],
    mixed: [],
    size: 0,
    oddities: 0,
    depth: 0,
  }
}

/** Leaves out what can be read of a segment. */
export function reduce(
  reducer: Reducer,
  segments: Container,
  key: string,
  origin: Origin | null,
): void {
  const { root } = reducer
  const top: Siblings = {
    reducer,
    row: root,
    around: null,
    outer: null,
    outerIndex: -1,
    origin,
    list: createList(),
  }
  collect(segments, key, top)
  reducer.mixed.push(top)
  for (const siblings of reducer.mixed.splice(0)) replace(siblings)
}

/** Adds the elements of a node to its siblings. @returns its shape; `null` when it has to stay */
function collect(container: Container, at: string | number, siblings: Siblings): Shape | null {
  const node = container[at]
  if (typeof node === 'string') return collectText(node, container, at, siblings)
  if (typeof node === 'number' || typeof node === 'boolean' || node === null) return { n: node }
  if (!Array.isArray(node)) return unknown(siblings)
  if (node[0] === '$') return collectElement(node as Tuple, container, at, siblings)
  const shapes = new Array<Shape>(node.length)
  let isKnown = true
  for (let index = 0; index < node.length; index++) {
    const shape = collect(node as unknown as Container, index, siblings)
    if (shape === null) isKnown = false
    else shapes[index] = shape
  }
  return isKnown ? shapes : null
}

function unknown({ list }: Siblings): null {
  list.lastUnknown = list.count++
  if (list.firstUnknown === -1) list.firstUnknown = list.lastUnknown
  return null
}

function createList(): List {
  return { elements: [], count: 0, firstUnknown: -1, lastUnknown: -1 }
}

/** A text, or a reference to what another row holds. */
function collectText(
  text: string,
  container: Container,
  at: string | number,
  siblings: Siblings,
): Shape | null {
  const { reducer, around, list } = siblings
  const { rows } = reducer
  if (isPlainText(text)) return shapeOfText(text, around, reducer)
  if (text === '$undefined') return { n: text }
  const id = text.slice(2)
  const row = text[1] === 'L' && rows.uses.get(id) === 1 ? rows.byId.get(id) : undefined
  if (!row) return unknown(siblings)
  const { outer, outerIndex, origin } = siblings
  const shape = collect(row.value, 0, { reducer, row, around, outer, outerIndex, origin, list })
  if (shape === null || rows.shared.has(id)) return null
  // It becomes a part of the row around it.
  const child = list.elements.at(-1)
  if (child?.in === row.value) Object.assign(child, { in: container, at, row: siblings.row })
  container[at] = row.value[0]
  row.state = 'gone'
  siblings.row.state = 'other'
  return shape
}

function collectElement(
  tuple: Tuple,
  container: Container,
  at: string | number,
  siblings: Siblings,
): Shape | null {
  const [, type, key, props] = tuple
  const { reducer } = siblings
  const around = reducer.depth < maxDepth ? surroundingsIn(type, siblings.around) : null
  // Properties may be those of another element, and stand there.
  if (around === null || typeof props === 'string') return unknown(siblings)
  const { size, oddities } = reducer
  const index = siblings.list.count++
  const { children } = props
  let c: Shape | null | undefined
  // Nothing is counted in an element that holds a text only, as most do.
  let inside: Siblings | null = null
  if (typeof children === 'string' && isPlainText(children)) {
    if (!around.isOpaque) c = shapeOfText(children, around, reducer)
  } else if ('children' in props && !around.isOpaque) {
    inside = createInside(siblings, index, type, around)
    reducer.depth++
    c = collect(props as Container, 'children', inside)
    reducer.depth--
  }
  const isWritable = around.isGeneric && reducer.oddities === oddities
  if (!around.isGeneric) reducer.oddities++
  const own = around.isStatic && c !== null ? readProps(props, reducer) : null
  if (own === null || c === null) {
    if (inside) reducer.mixed.push(inside)
    return null
  }
  reducer.size += sizeOf(type)
  const shape = shapeOf(key, own, isDefault(c) ? undefined : c)
  const ownSize = reducer.size - size
  if (ownSize >= minSize) {
    const { row, list } = siblings
    list.elements.push({ in: container, at, row, tuple, shape, index, size: ownSize, isWritable })
  }
  return shape
}

function createInside(
  outer: Siblings,
  outerIndex: number,
  type: string,
  around: Surroundings,
): Siblings {
  const { reducer, row, origin } = outer
  const list = createList()
  return type === 'body'
    ? { reducer, row, around, outer: null, outerIndex: -1, origin: bodyOrigin, list }
    : { reducer, row, around, outer, outerIndex, origin, list }
}

function replace(siblings: Siblings): void {
  const { origins, references, replaced, rows } = siblings.reducer
  for (const child of siblings.list.elements) {
    if (references.length === maxReferences) continue
    const place = placeOf(siblings, child.index)
    if (place === null) continue
    child.in[child.at] = `${referencePrefix}${references.length}`
    child.row.state = 'other'
    // Others refer to what is inside.
    if (rows.referred.has(child.tuple)) child.isWritable = false
    const [node, path] = place
    if (!origins.includes(node)) origins.push(node)
    references.push([origins.indexOf(node), path, child.size, child.shape])
    replaced.push(child)
  }
}

/** @returns where it is counted from, and its path; `null` where that can't be done */
function placeOf(siblings: Siblings, index: number): readonly [string, string] | null {
  const { outer, outerIndex, origin, list } = siblings
  const isFromStart = list.firstUnknown === -1 || index < list.firstUnknown
  if (!isFromStart && index < list.lastUnknown) return null
  const fromEnd = list.count - index
  if (outer === null) {
    const [node, axis] = origin?.[isFromStart ? 'start' : 'end'] ?? []
    return node === undefined ? null : [node, `${axis}*[${isFromStart ? index + 1 : fromEnd}]`]
  }
  const place = placeOf(outer, outerIndex)
  if (place === null) return null
  return [place[0], `${place[1]}/*[${isFromStart ? index + 1 : `last()-${fromEnd - 1}`}]`]
}
