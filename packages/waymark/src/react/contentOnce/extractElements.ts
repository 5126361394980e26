import {
  type ElementCounts,
  isDefault,
  isPlainText,
  readProps,
  shapeOf,
  shapeOfHtml,
  shapeOfText,
} from './elementShape.ts'
import {
  characterSize,
  type HtmlReference,
  type RepeatedElement,
  referencePrefix,
  type Shape,
  sizeOf,
} from './htmlReference.ts'
import type { Container, FlightRows, Row, Tuple } from './payloadRows.ts'
import { countInPlace, createTextCheck, type HtmlContext, htmlContextIn } from './readableHtml.ts'

type Place = { in: Container; at: string | number; row: Row }

type ReadableChild = Place & {
  readonly tuple: Tuple
  readonly shape: Shape
  readonly index: number
  readonly size: number
  /** `childrenHtml` writes what is inside of it as React does. */
  isWritable: boolean
}

type Siblings = {
  readonly extraction: Extraction
  readonly row: Row
  readonly around: HtmlContext | null
  /** The siblings of the element around, and its index there; `null` where counting begins. */
  readonly outer: Siblings | null
  readonly outerIndex: number
  readonly origin: Origin | null
  readonly list: List
}

type List = {
  readonly elements: ReadableChild[]
  count: number
  /** Of what may be any number of elements; -1 for none. */
  firstUnknown: number
  lastUnknown: number
}

/**
 * From where elements are counted: the XPath of a node, and the axis; `null` outside of `<body>`.
 */
type Origin = Readonly<Record<'start' | 'end', readonly [node: string, axis: string]>>

/** A payload whose elements are being left out. */
export type Extraction = ElementCounts & {
  readonly rows: FlightRows
  readonly root: Row
  readonly origins: string[]
  readonly references: (HtmlReference | RepeatedElement)[]
  readonly replaced: Pick<ReadableChild, 'tuple' | 'isWritable'>[]
  /** Stylesheets by their text: the place of the only one, or the index of their reference. */
  readonly stylesheets: Map<string, Place | number>
  /** Elements of which some have to stay. */
  readonly mixed: Siblings[]
  depth: number
}

export function createExtraction(text: string, rows: FlightRows): Extraction {
  const isReadable = createTextCheck(text)
  const root = rows.byId.get('0') ?? { id: '0', value: [{}] as unknown as Container, state: 'same' }
  return {
    rows,
    root,
    isReadable,
    names: {},
    origins: [],
    references: [],
    replaced: [],
    stylesheets: new Map(),
    mixed: [],
    size: 0,
    unwritable: 0,
    depth: 0,
  }
}

/** Smaller elements are not worth a reference, which is about 30 characters long. */
const minSize = 200 * characterSize

/** What stands deeper stays: the stack has an end. */
const maxDepth = 250

/** Leaves the elements of a segment out of a payload, where a browser can read them from the DOM. */
export function extractElements(
  extraction: Extraction,
  segments: Container,
  key: string,
  origin: Origin | null,
): void {
  const { root } = extraction
  const top: Siblings = {
    extraction,
    row: root,
    around: null,
    outer: null,
    outerIndex: -1,
    origin,
    list: createList(),
  }
  collect(segments, key, top)
  extraction.mixed.push(top)
  for (const siblings of extraction.mixed.splice(0)) replaceElements(siblings)
}

function createList(): List {
  return { elements: [], count: 0, firstUnknown: -1, lastUnknown: -1 }
}

/** @returns the shape of a node; `null` when it has to stay */
function collect(container: Container, at: string | number, siblings: Siblings): Shape | null {
  const node = container[at]
  if (typeof node === 'string') return collectText(node, container, at, siblings)
  if (typeof node === 'number' || typeof node === 'boolean' || node === null) return { n: node }
  if (!Array.isArray(node)) return countUnknown(siblings)
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

function stay(tuple: Tuple, place: Place, siblings: Siblings): null {
  const [, type, , props] = tuple
  const count = countInPlace(type, props, siblings.around)
  if (count === null) return countUnknown(siblings)
  siblings.list.count += count
  if (type === 'link') writeOnce(tuple, place, siblings.extraction)
  return null
}

function countUnknown({ list }: Siblings): null {
  list.lastUnknown = list.count++
  if (list.firstUnknown === -1) list.firstUnknown = list.lastUnknown
  return null
}

function collectText(
  text: string,
  container: Container,
  at: string | number,
  siblings: Siblings,
): Shape | null {
  const { extraction, around, list } = siblings
  const { rows } = extraction
  if (isPlainText(text)) return shapeOfText(text, around, extraction)
  if (text === '$undefined') return { n: text }
  const id = text.slice(2)
  const row = text[1] === 'L' && rows.uses.get(id) === 1 ? rows.byId.get(id) : undefined
  if (!row) return countUnknown(siblings)
  const { outer, outerIndex, origin } = siblings
  const shape = collect(row.value, 0, { extraction, row, around, outer, outerIndex, origin, list })
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
  const { extraction } = siblings
  const around = extraction.depth < maxDepth ? htmlContextIn(type, siblings.around) : null
  if (typeof props === 'string') return countUnknown(siblings)
  if (around === null) return stay(tuple, { in: container, at, row: siblings.row }, siblings)
  const { size, unwritable } = extraction
  const index = siblings.list.count++
  const { children, dangerouslySetInnerHTML: html } = props
  let c: Shape | null | undefined
  let inside: Siblings | null = null
  if (html !== undefined) c = shapeOfHtml(html, around, extraction)
  else if (typeof children === 'string' && isPlainText(children)) {
    if (!around.hidesContent) c = shapeOfText(children, around, extraction)
  } else if ('children' in props && !around.hidesContent) {
    inside = createInside(siblings, index, type, around)
    extraction.depth++
    c = collect(props as Container, 'children', inside)
    extraction.depth--
  }
  const isWritable = around.isWritable && extraction.unwritable === unwritable
  if (!around.isWritable) extraction.unwritable++
  const own = around.isReadable && c !== null ? readProps(props, extraction) : null
  if (own === null || c === null) {
    if (inside) extraction.mixed.push(inside)
    return null
  }
  extraction.size += sizeOf(type)
  const shape = shapeOf(key, own, isDefault(c) ? undefined : c)
  const ownSize = extraction.size - size
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
  around: HtmlContext,
): Siblings {
  const { extraction, row, origin } = outer
  const list = createList()
  return type === 'body'
    ? { extraction, row, around, outer: null, outerIndex: -1, origin: bodyOrigin, list }
    : { extraction, row, around, outer, outerIndex, origin, list }
}

const bodyOrigin: Origin = { start: ['..', ''], end: ['.', 'preceding-sibling::'] }

/** A browser looks each of them up: more would take it longer than to read the payload. */
const maxReferences = 300

function replaceElements(siblings: Siblings): void {
  const { origins, references, replaced, rows } = siblings.extraction
  for (const child of siblings.list.elements) {
    if (references.length === maxReferences) continue
    const place = placeOf(siblings, child.index)
    if (place === null) continue
    refer(child, references.length)
    // Other rows refer to what is inside.
    if (rows.referred.has(child.tuple)) child.isWritable = false
    const [node, path] = place
    if (!origins.includes(node)) origins.push(node)
    references.push([origins.indexOf(node), path, child.size, child.shape])
    replaced.push(child)
  }
}

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

/** Many components ask for the same stylesheets: the payload has each once. */
function writeOnce(tuple: Tuple, place: Place, extraction: Extraction): void {
  const text = JSON.stringify(tuple)
  const known = extraction.stylesheets.get(text)
  if (known === undefined) extraction.stylesheets.set(text, place)
  else if (typeof known === 'number') refer(place, known)
  else if (extraction.references.length < maxReferences) {
    const index = extraction.references.push(tuple as unknown as RepeatedElement) - 1
    extraction.replaced.push({ tuple, isWritable: false })
    extraction.stylesheets.set(text, index)
    refer(known, index)
    refer(place, index)
  }
}

function refer(place: Place, index: number): void {
  place.in[place.at] = `${referencePrefix}${index}`
  place.row.state = 'other'
}
