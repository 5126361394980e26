import {
  characterSize,
  type HtmlReference,
  referencePrefix,
  type Shape,
  sizeOf,
} from '../shared/htmlReference.ts'
import type { Container, FlightRows, Row, Tuple } from './payloadRows.ts'
import {
  attributeOf,
  createTextCheck,
  isNothing,
  isPlain,
  isReadAsGiven,
  mayHoldText,
  type Surroundings,
  surroundingsIn,
} from './readableHtml.ts'

/** An element and its place, where it can be replaced. */
export type ReadableChild = {
  in: Container
  at: string | number
  row: Row
  readonly tuple: Tuple
  /** `null` where it has to stay. */
  shape: Shape | null
  /** Among its siblings. */
  readonly index: number
  /** As in a reference. */
  size: number
  /** React writes what is inside of it as `writeChildren` does. */
  isWritable: boolean
}

/** Elements beside each other, and what they are inside of. */
type Siblings = {
  readonly reducer: Reducer
  readonly row: Row
  readonly around: Surroundings | null
  readonly parent: { readonly siblings: Siblings; readonly child: ReadableChild } | null
  readonly origin: Origin | null
  readonly list: List
}

/** What stands beside each other. */
type List = {
  readonly elements: ReadableChild[]
  /** Of elements, and of what may be any number of them. */
  count: number
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
export type Reducer = {
  readonly rows: FlightRows
  readonly root: Row
  readonly isReadable: (text: string) => boolean
  readonly names: Record<string, string>
  readonly origins: string[]
  readonly references: HtmlReference[]
  /** The elements that are left out, in the same order. */
  readonly replaced: ReadableChild[]
  /** Of all elements so far. */
  size: number
  /** How much was found so far that only React writes. */
  oddities: number
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
  const found = { names: {}, origins: [], references: [], replaced: [], mixed: [] }
  return { rows, root, isReadable, ...found, size: 0, oddities: 0, depth: 0 }
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
    parent: null,
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
  const shapes: Shape[] = []
  let isKnown = true
  for (let index = 0; index < node.length; index++) {
    const shape = collect(node as unknown as Container, index, siblings)
    if (shape === null) isKnown = false
    else shapes.push(shape)
  }
  return isKnown ? shapes : null
}

function unknown({ list }: Siblings): null {
  list.lastUnknown = list.count++
  list.firstUnknown = Math.min(list.firstUnknown, list.lastUnknown)
  return null
}

function createList(): List {
  return { elements: [], count: 0, firstUnknown: Number.POSITIVE_INFINITY, lastUnknown: -1 }
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
  if (!text.startsWith('$') || text.startsWith('$$')) {
    if (text === '') return { n: text }
    reducer.size += sizeOf(text.startsWith('$') ? text.slice(1) : text)
    return reducer.isReadable(text) && mayHoldText(around) ? 0 : null
  }
  if (text === '$undefined') return { n: text }
  const id = text.slice(2)
  const row = text[1] === 'L' && rows.uses.get(id) === 1 ? rows.byId.get(id) : undefined
  if (!row) return unknown(siblings)
  const { parent, origin } = siblings
  const shape = collect(row.value, 0, { reducer, row, around, parent, origin, list })
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
  const { reducer, row } = siblings
  const around = reducer.depth < maxDepth ? surroundingsIn(type, siblings.around) : null
  // Properties may be those of another element, and stand there.
  if (around === null || typeof props === 'string') return unknown(siblings)
  const { size, oddities } = reducer
  const child: ReadableChild = {
    in: container,
    at,
    row,
    tuple,
    shape: null,
    index: siblings.list.count++,
    size: 0,
    isWritable: false,
  }
  siblings.list.elements.push(child)
  const inside: Siblings = {
    reducer,
    row,
    around,
    parent: type === 'body' ? null : { siblings, child },
    origin: type === 'body' ? bodyOrigin : siblings.origin,
    list: createList(),
  }
  const hasChildren = 'children' in props && !around.isOpaque
  reducer.depth++
  const c = hasChildren ? collect(props as Container, 'children', inside) : undefined
  reducer.depth--
  child.isWritable = around.isGeneric && reducer.oddities === oddities
  if (!around.isGeneric) reducer.oddities++
  const own = around.isStatic && c !== null ? readProps(props, reducer) : null
  if (own === null || c === null) reducer.mixed.push(inside)
  else {
    reducer.size += sizeOf(type)
    child.shape = shapeOf(key, own, isDefault(c) ? undefined : c)
    child.size = reducer.size - size
  }
  return child.shape
}

const none: Readonly<Record<string, unknown>> = {}

/** @returns what the attributes do not tell; `null` where it is not known what they do */
function readProps(
  props: Record<string, unknown>,
  reducer: Reducer,
): Readonly<Record<string, unknown>> | null {
  let own: Record<string, unknown> | null = null
  for (const prop in props) {
    if (prop === 'children') continue
    const value = props[prop]
    const attribute = attributeOf(prop)
    if (attribute === null) return null
    if (attribute.read !== prop) reducer.names[attribute.read] = prop
    if (typeof value === 'string' && isReadAsGiven(attribute, value) && reducer.isReadable(value)) {
      reducer.size += sizeOf(value) + sizeOf(attribute.read)
      continue
    }
    if (!isPlain(value)) return null
    if (!isNothing(value)) reducer.oddities++
    own ??= {}
    own[prop] = value
  }
  return own ?? none
}

function shapeOf(
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
function isDefault(shape: Shape | undefined): boolean {
  if (!Array.isArray(shape)) return shape === undefined || shape === 0
  return shape.length > 1 && shape.every((each) => each === 0)
}

function replace(siblings: Siblings): void {
  const { origins, references, replaced, rows } = siblings.reducer
  for (const child of siblings.list.elements) {
    if (child.shape === null || child.size < minSize || references.length === maxReferences)
      continue
    const place = placeOf(siblings, child)
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
function placeOf(siblings: Siblings, { index }: ReadableChild): readonly [string, string] | null {
  const { parent, origin, list } = siblings
  const isFromStart = index < list.firstUnknown
  if (!isFromStart && index < list.lastUnknown) return null
  const fromEnd = list.count - index
  if (parent === null) {
    const [node, axis] = origin?.[isFromStart ? 'start' : 'end'] ?? []
    return node === undefined ? null : [node, `${axis}*[${isFromStart ? index + 1 : fromEnd}]`]
  }
  const outer = placeOf(parent.siblings, parent.child)
  if (outer === null) return null
  return [outer[0], `${outer[1]}/*[${isFromStart ? index + 1 : `last()-${fromEnd - 1}`}]`]
}
