import type { ElementCounts } from './elementShape.ts'
import {
  type HtmlReference,
  type RepeatedElement,
  referencePrefix,
  type Shape,
} from './htmlReference.ts'
import type { Container, FlightRows, Row, Tuple } from './payloadRows.ts'
import { createTextCheck, type Surroundings } from './readableHtml.ts'

/** Where an element stands in the payload. */
export type Place = { in: Container; at: string | number; row: Row }

/** An element that is worth a reference, and its place. */
export type ReadableChild = Place & {
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
export type Siblings = {
  readonly extraction: Extraction
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

export const bodyOrigin: Origin = { start: ['..', ''], end: ['.', 'preceding-sibling::'] }

/** A payload that is being reduced. */
export type Extraction = ElementCounts & {
  readonly rows: FlightRows
  readonly root: Row
  readonly origins: string[]
  readonly references: (HtmlReference | RepeatedElement)[]
  /** The elements that are left out, in the same order. */
  readonly replaced: Pick<ReadableChild, 'tuple' | 'isWritable'>[]
  /** Stylesheets by their text: the place of the only one, or the index of their reference. */
  readonly stylesheets: Map<string, Place | number>
  /** Elements of which some have to stay. */
  readonly mixed: Siblings[]
  depth: number
}

/** @param text of the rows */
export function createExtraction(text: string, rows: FlightRows): Extraction {
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
    stylesheets: new Map(),
    mixed: [],
    size: 0,
    unwritable: 0,
    depth: 0,
  }
}

export function createList(): List {
  return { elements: [], count: 0, firstUnknown: -1, lastUnknown: -1 }
}

/** A browser looks each of them up: more would take it longer than to read the payload. */
const maxReferences = 300

/** Leaves out those of some elements whose place is known. */
export function leaveOut(siblings: Siblings): void {
  const { origins, references, replaced, rows } = siblings.extraction
  for (const child of siblings.list.elements) {
    if (references.length === maxReferences) continue
    const place = placeOf(siblings, child.index)
    if (place === null) continue
    refer(child, references.length)
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

/** Each component asks for its stylesheets: many components, the same ones many times. */
export function writeOnce(tuple: Tuple, place: Place, extraction: Extraction): void {
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
