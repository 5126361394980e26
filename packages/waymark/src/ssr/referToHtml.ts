import {
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
type Row = { readonly value: Container; state: 'same' | 'other' | 'gone' }

/** An element and its place, where it can be replaced; its shape is `null` where it has to stay. */
type Child = { in: Container; at: string | number; row: Row; tuple: Tuple; shape: Shape | null }

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
  readonly rows: ReadonlyMap<string, Row>
  /** How often each row is referred to as a whole. */
  readonly uses: ReadonlyMap<string, number>
  /** Rows that others refer into. */
  readonly shared: ReadonlySet<string>
  readonly isReadable: (text: string) => boolean
  readonly names: Record<string, string>
  readonly references: HtmlReference[]
  /** Elements of which some have to stay. */
  readonly mixed: Siblings[]
}

/** Shorter elements are not worth a reference, which is about 30 characters long. */
const minLength = 120

/**
 * Leaves out of a payload what the HTML of its document says, too: elements without components
 * inside, whose place in the DOM is known.
 * @param text a whole payload of lines
 * @param html the document that React has rendered from it
 * @see client/document/readFromHtml.ts, the inverse
 */
export function referToHtml(text: string, html: string): string {
  const reducer = createReducer(text)
  const root = reducer.rows.get('0') as Row
  const { tree, segments } = root.value[0] as Partial<Payload>
  if (!tree || !segments) return text
  const [outermost = '', ...others] = chainOf(tree)
  reduce(reducer, segments, outermost, null)
  // Where an app has activities of its own, it is not known which comment is whose.
  const isCounted = html.split('<!--&-->').length === others.length + 1
  for (const [index, key] of isCounted ? others.entries() : []) {
    // Each stands inside of the one before, so they end in reverse.
    reduce(reducer, segments, key, [
      `(//comment()[.='&'])[${index + 1}]/following-sibling::`,
      `(//comment()[.='/&'])[${others.length - index}]/preceding-sibling::`,
    ])
  }
  return reducer.references.length === 0 ? text : write(text, reducer)
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
      rows.set(text.slice(start, colon), { value, state: 'same' })
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
  return { rows, uses, shared, isReadable, names: {}, references: [], mixed: [] }
}

function reduce(reducer: Reducer, segments: Container, key: string, origin: Origin | null): void {
  const row = reducer.rows.get('0') as Row
  const top: Siblings = { reducer, row, around: null, parent: null, origin, all: [] }
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
  const child: Child = { in: container, at, row, tuple, shape: null }
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
  const own = around.isStatic && c !== null ? readProps(props, reducer) : null
  if (own === null || c === null) reducer.mixed.push(inside)
  else child.shape = shapeOf(key, own, isDefault(c) ? undefined : c)
  return child.shape
}

const none: Readonly<Record<string, unknown>> = {}

/** @returns what the attributes do not tell; `null` where it is not known what they do */
function readProps(
  props: Record<string, unknown>,
  { names, isReadable }: Reducer,
): Readonly<Record<string, unknown>> | null {
  let own: Record<string, unknown> | null = null
  for (const prop in props) {
    if (prop === 'children') continue
    const value = props[prop]
    const attribute = attributeOf(prop)
    if (attribute === null) return null
    if (attribute !== prop) names[attribute] = prop
    if (typeof value === 'string' && isTold(prop, value) && isReadable(value)) continue
    if (!isPlain(value)) return null
    own ??= {}
    own[prop] = value
  }
  return own ?? none
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
  const { references } = siblings.reducer
  for (const child of siblings.all) {
    if (!child || child.shape === null) continue
    const path = pathOf(siblings, child)
    const length = path === null ? 0 : JSON.stringify(child.tuple).length
    if (path === null || length < minLength) continue
    child.in[child.at] = `${referencePrefix}${references.length}`
    child.row.state = 'other'
    references.push([path, length, child.shape])
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

function write(text: string, { rows, names, references }: Reducer): string {
  let written = `${referencesMark}${JSON.stringify([names, ...references])}\n`
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
