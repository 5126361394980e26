import { escapeHtml } from '../shared/html.ts'
import {
  elementSize,
  type HtmlReference,
  referencePrefix,
  referencesMark,
  type Shape,
} from '../shared/htmlReference.ts'
import {
  attributeOf,
  isTold,
  mayHoldText,
  type Surroundings,
  surroundingsIn,
} from './readableHtml.ts'

/** An element as React's Flight writes it. */
type Tuple = ['$', type: string, key: string | null, props: Record<string, unknown>]

/** An array or object, parsed from JSON. */
type Container = Record<string | number, unknown>

/** A row of the payload, parsed; `gone` is one that stands in another row. */
type Row = { readonly id: string; readonly value: Container; state: 'same' | 'other' | 'gone' }

/** An element and its place, where it can be replaced. */
type Child = {
  in: Container
  at: string | number
  row: Row
  readonly tuple: Tuple
  /** `null` where it has to stay. */
  shape: Shape | null
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
  readonly parent: { readonly siblings: Siblings; readonly child: Child } | null
  readonly origin: Origin | null
  /** `null` stands for what may be any number of elements. */
  readonly all: (Child | null)[]
}

/**
 * XPaths of what stands before the first of them and behind the last, up to the axis; `null`
 * outside of `<body>`.
 */
type Origin = readonly [start: string, end: string]

const bodyOrigin: Origin = ['../', 'preceding-sibling::']

/** What is known of a payload while it is reduced. */
type Reducer = {
  readonly root: Row
  readonly rows: ReadonlyMap<string, Row>
  /** How often each row is referred to as a whole. */
  readonly uses: ReadonlyMap<string, number>
  /** Rows that others refer into. */
  readonly shared: ReadonlySet<string>
  readonly isReadable: (text: string) => boolean
  readonly names: Record<string, string>
  readonly references: HtmlReference[]
  /** The elements that are left out, in the same order. */
  readonly replaced: Child[]
  /** Of all elements so far. */
  size: number
  /** How much was found so far that only React writes. */
  oddities: number
  /** Elements of which some have to stay. */
  readonly mixed: Siblings[]
}

/** Smaller elements are not worth a reference, which is about 30 characters long. */
const minSize = 100

/** A payload without what its document says, too. */
type ReducedFlight = {
  /** For the browser. */
  readonly text: string
  /** For React on the server: elements have a mark in place of their children. */
  readonly decodable: string
  /** How many of React's comments for slots the document must have. */
  readonly slots: number
  /** Puts the children in the place of their marks. */
  readonly complete: (html: string) => string
}

/**
 * Leaves out of a payload what the HTML of its document says, too: elements without components
 * inside, whose place in the DOM is known. Their HTML is written without React.
 * @param text a whole payload of lines
 * @returns `null` where there is nothing to leave out
 * @see client/document/readFromHtml.ts, the inverse
 */
export function referToHtml(text: string): ReducedFlight | null {
  const reducer = createReducer(text)
  const { tree, segments } = reducer.root.value[0] as Partial<Payload>
  if (!tree || !segments) return null
  const [outermost = '', ...others] = chainOf(tree)
  reduce(reducer, segments, outermost, null)
  for (const [index, key] of others.entries()) {
    // Each stands inside of the one before, so they end in reverse.
    reduce(reducer, segments, key, [
      `(//comment()[.='&'])[${index + 1}]/following-sibling::`,
      `(//comment()[.='/&'])[${others.length - index}]/preceding-sibling::`,
    ])
  }
  const { names, references, replaced } = reducer
  if (references.length === 0) return null
  const rows = writeRows(text, reducer)
  return {
    text: `${referencesMark}${JSON.stringify([names, ...references])}\n${rows}`,
    decodable: rows.replace(placeholders, (_, index) => markedTuple(replaced, Number(index))),
    slots: others.length,
    complete: (html) => html.replace(marks, (_, index) => writeChildren(replaced[index]?.tuple)),
  }
}

const placeholders = /"\$~(\d+)"/g

// No text of an app can hold the mark: it is another one in each process.
const secret = crypto.randomUUID()
const marks = new RegExp(`<!--${secret} (\\d+)-->`, 'g')

function markedTuple(replaced: readonly Child[], index: number): string {
  const { tuple, isWritable } = replaced[index] as Child
  const [, type, key, { children, ...props }] = tuple
  if (!isWritable) return JSON.stringify(tuple)
  const marked = { ...props, dangerouslySetInnerHTML: { __html: `<!--${secret} ${index}-->` } }
  return JSON.stringify(['$', type, key, children === undefined ? props : marked])
}

type PayloadTree = { key: string; slots?: Record<string, PayloadTree> }
type Payload = { tree: PayloadTree; segments: Container }

/** Keys of segments, from the outermost on, for as long as each has one slot at most. */
function chainOf({ key, slots }: PayloadTree): string[] {
  const names = Object.keys(slots ?? {})
  const [name = ''] = names
  const child = slots?.[name]
  return child && names.length === 1 ? [key, ...chainOf(child)] : [key]
}

// A parser changes returns and NUL, and splits long texts. Flight, as JSON, writes these as escapes.
const escapes = /\\(?:r|u0000|ud[89a-f])/
const unreadable = /[\r\0\ud800-\udfff]/u
const maxText = 30_000

function createReducer(text: string): Reducer {
  const rows = new Map<string, Row>()
  for (let start = 0; start < text.length; ) {
    const colon = text.indexOf(':', start)
    const end = text.indexOf('\n', colon)
    const first = text[colon + 1]
    if (first === '[' || first === '{' || first === '"') {
      const value = [JSON.parse(text.slice(colon + 1, end))] as unknown as Container
      const id = text.slice(start, colon)
      rows.set(id, { id, value, state: 'same' })
    }
    start = end + 1
  }
  const uses = new Map<string, number>()
  const shared = new Set<string>()
  for (const [, id = '', end] of text.matchAll(/"\$[@A-Zg-z]?([0-9a-f]+)([":])/g)) {
    if (end === ':') shared.add(id)
    else uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  const isReadable = escapes.test(text)
    ? (each: string) => each.length < maxText && !unreadable.test(each)
    : (each: string) => each.length < maxText
  const root = rows.get('0') ?? { id: '0', value: [{}] as unknown as Container, state: 'same' }
  const found = { names: {}, references: [], replaced: [], mixed: [], size: 0, oddities: 0 }
  return { root, rows, uses, shared, isReadable, ...found }
}

function reduce(reducer: Reducer, segments: Container, key: string, origin: Origin | null): void {
  const { root } = reducer
  const top: Siblings = { reducer, row: root, around: null, parent: null, origin, all: [] }
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

function unknown({ all }: Siblings): null {
  all.push(null)
  return null
}

/** A text, or a reference to what another row holds. */
function collectText(
  text: string,
  container: Container,
  at: string | number,
  siblings: Siblings,
): Shape | null {
  const { reducer, around, all } = siblings
  if (!text.startsWith('$') || text.startsWith('$$')) {
    if (text === '') return { n: text }
    reducer.size += text.startsWith('$') ? text.length - 1 : text.length
    return reducer.isReadable(text) && mayHoldText(around) ? 0 : null
  }
  if (text === '$undefined') return { n: text }
  const id = text.slice(2)
  const row = text[1] === 'L' && reducer.uses.get(id) === 1 ? reducer.rows.get(id) : undefined
  if (!row) return unknown(siblings)
  const { parent, origin } = siblings
  const shape = collect(row.value, 0, { reducer, row, around, parent, origin, all })
  if (shape === null || reducer.shared.has(id)) return null
  // It becomes a part of the row around it.
  const child = all.at(-1)
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
  const around = surroundingsIn(type, siblings.around)
  if (around === null) return unknown(siblings)
  const { size, oddities } = reducer
  const child: Child = {
    in: container,
    at,
    row,
    tuple,
    shape: null,
    size: 0,
    isWritable: false,
  }
  siblings.all.push(child)
  const inside: Siblings = {
    reducer,
    row,
    around,
    parent: type === 'body' ? null : { siblings, child },
    origin: type === 'body' ? bodyOrigin : siblings.origin,
    all: [],
  }
  const hasChildren = 'children' in props && !around.isOpaque
  const c = hasChildren ? collect(props as Container, 'children', inside) : undefined
  child.isWritable = around.isGeneric && reducer.oddities === oddities
  if (!around.isGeneric) reducer.oddities++
  const own = around.isStatic && c !== null ? readProps(props, reducer) : null
  if (own === null || c === null) reducer.mixed.push(inside)
  else {
    reducer.size += elementSize
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
    if (typeof value === 'string' && isTold(attribute, value) && reducer.isReadable(value)) {
      reducer.size += value.length
      continue
    }
    if (!isPlain(value)) return null
    if (!isNothing(value)) reducer.oddities++
    own ??= {}
    own[prop] = value
  }
  return own ?? none
}

function isNothing(value: unknown): boolean {
  return value === null || value === '$undefined'
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !value.startsWith('$') || /^\$(?:\$|undefined$)/.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isPlain)
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
  const { references, replaced, shared } = siblings.reducer
  for (const child of siblings.all) {
    if (!child || child.shape === null || child.size < minSize) continue
    const path = pathOf(siblings, child)
    if (path === null) continue
    child.in[child.at] = `${referencePrefix}${references.length}`
    child.row.state = 'other'
    // Others refer to what is inside of it.
    if (shared.has(child.row.id)) child.isWritable = false
    references.push([path, child.size, child.shape])
    replaced.push(child)
  }
}

/** @returns `null` where it can't be counted from either end */
function pathOf({ parent, origin, all }: Siblings, child: Child): string | null {
  const index = all.indexOf(child)
  const fromEnd = all.length - index
  const first = all.indexOf(null)
  const isFromStart = first === -1 || first > index
  if (!isFromStart && all.lastIndexOf(null) > index) return null
  if (parent === null) {
    if (origin === null) return null
    return isFromStart ? `${origin[0]}*[${index + 1}]` : `${origin[1]}*[${fromEnd}]`
  }
  const outer = pathOf(parent.siblings, parent.child)
  if (outer === null) return null
  return `${outer}/*[${isFromStart ? index + 1 : `last()-${fromEnd - 1}`}]`
}

function writeRows(text: string, { rows }: Reducer): string {
  let written = ''
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1
    const id = text.slice(start, text.indexOf(':', start))
    const row = rows.get(id)
    if (row === undefined || row.state === 'same') written += text.slice(start, end)
    else if (row.state === 'other') written += `${id}:${JSON.stringify(row.value[0])}\n`
    start = end
  }
  return written
}

/** Writes what is inside of an element as React does, where that is of the generic kind. */
function writeChildren(tuple: Tuple | undefined): string {
  let html = ''
  let isAfterText = false
  const write = (node: unknown): void => {
    if (Array.isArray(node)) {
      if (node[0] !== '$') {
        for (const each of node) write(each)
        return
      }
      html += writeElement(node as Tuple)
      isAfterText = false
    } else if (typeof node === 'number' || (typeof node === 'string' && node !== '')) {
      if (node === '$undefined') return
      const text = typeof node === 'string' && node.startsWith('$') ? node.slice(1) : node
      html += (isAfterText ? '<!-- -->' : '') + escapeHtml(String(text))
      isAfterText = true
    }
  }
  write(tuple?.[3].children)
  return html
}

const voids: ReadonlySet<string> = new Set(['br', 'hr', 'wbr'])

function writeElement(tuple: Tuple): string {
  const [, tag, , props] = tuple
  let attributes = ''
  for (const prop in props) {
    if (prop === 'children' || isNothing(props[prop])) continue
    attributes += ` ${attributeOf(prop)?.written}="${escapeHtml(String(props[prop]))}"`
  }
  if (voids.has(tag)) return `<${tag}${attributes}/>`
  return `<${tag}${attributes}>${writeChildren(tuple)}</${tag}>`
}
