import {
  isDefault,
  isPlainText,
  readProps,
  shapeOf,
  shapeOfHtml,
  shapeOfText,
} from './elementShape.ts'
import { characterSize, type Shape, sizeOf } from './htmlReference.ts'
import {
  bodyOrigin,
  createList,
  type Extraction,
  leaveOut,
  type Origin,
  type Place,
  type Siblings,
  writeOnce,
} from './leftOut.ts'
import type { Container, Tuple } from './payloadRows.ts'
import { countInPlace, type Surroundings, surroundingsIn } from './readableHtml.ts'

/** Smaller elements are not worth a reference, which is about 30 characters long. */
const minSize = 200 * characterSize

/** What stands deeper stays: a stack has an end, and content is as deep as somebody likes. */
const maxDepth = 250

/** Leaves out what can be read of a segment. */
export function reduce(
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
  for (const siblings of extraction.mixed.splice(0)) leaveOut(siblings)
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

/** Counts an element that stays in the payload. */
function leave(tuple: Tuple, place: Place, siblings: Siblings): null {
  const [, type, , props] = tuple
  const count = countInPlace(type, props, siblings.around)
  if (count === null) return unknown(siblings)
  siblings.list.count += count
  if (type === 'link') writeOnce(tuple, place, siblings.extraction)
  return null
}

function unknown({ list }: Siblings): null {
  list.lastUnknown = list.count++
  if (list.firstUnknown === -1) list.firstUnknown = list.lastUnknown
  return null
}

/** A text, or a reference to what another row holds. */
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
  if (!row) return unknown(siblings)
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
  const around = extraction.depth < maxDepth ? surroundingsIn(type, siblings.around) : null
  // Properties may be those of another element, and stand there.
  if (typeof props === 'string') return unknown(siblings)
  if (around === null) return leave(tuple, { in: container, at, row: siblings.row }, siblings)
  const { size, unwritable } = extraction
  const index = siblings.list.count++
  const { children, dangerouslySetInnerHTML: html } = props
  let c: Shape | null | undefined
  // Nothing is counted in an element that holds a text only, as most do.
  let inside: Siblings | null = null
  if (html !== undefined) c = shapeOfHtml(html, around, extraction)
  else if (typeof children === 'string' && isPlainText(children)) {
    if (!around.isOpaque) c = shapeOfText(children, around, extraction)
  } else if ('children' in props && !around.isOpaque) {
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
  around: Surroundings,
): Siblings {
  const { extraction, row, origin } = outer
  const list = createList()
  return type === 'body'
    ? { extraction, row, around, outer: null, outerIndex: -1, origin: bodyOrigin, list }
    : { extraction, row, around, outer, outerIndex, origin, list }
}
