import {
  type HtmlReference,
  referencePrefix,
  referencesMark,
  type Shape,
} from '../shared/htmlReference.ts'
import {
  attributeOf,
  holdsNoText,
  isReadable,
  isTold,
  type Surroundings,
  surroundingsIn,
} from './readableHtml.ts'

/** An element as React's Flight writes it. */
type Tuple = ['$', type: string, key: string | null, props: Record<string, unknown>]

/** Where a node stands: it can be replaced there. */
type Holder = { in: Record<string | number, unknown>; at: string | number }

/** A row of the payload, parsed. */
type Row = { readonly holder: Holder; state: 'same' | 'other' | 'gone' }

/** Elements beside each other; `null` stands for what may be any number of them. */
type Siblings = {
  readonly parent: { readonly siblings: Siblings; readonly child: Child } | null
  /** What they are counted from; `null` outside of `<body>`. */
  readonly origin: Origin | null
  readonly all: (Child | null)[]
}

/** XPaths of what comes before the first sibling, up to its axis, and after the last one. */
type Origin = readonly [start: string, end: string]

const bodyOrigin: Origin = ['../', 'preceding-sibling::']

/** An element; its shape is `null` where it has to stay in the payload. */
type Child = Holder & { readonly tuple: Tuple; row: Row; shape: Shape | null }

/** Of a node: the row that it stands in, and the elements around. */
type Context = {
  readonly row: Row
  readonly siblings: Siblings
  readonly around: Surroundings | null
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
  const rows = parseRows(text)
  const payload = rows.get('0')?.holder.in.value as PayloadRow | undefined
  if (!payload?.segments) return text
  const { reduce, write } = createReducer(text, rows)
  const [root = '', ...others] = chainOf(payload.tree)
  reduce(payload.segments, root, null)
  // Where an app has activities of its own, it is not known which comment is whose.
  const isCounted = html.split('<!--&-->').length === others.length + 1
  // Each stands inside of the one before, so they end in reverse.
  if (isCounted) {
    others.forEach(
      (key, index) =>
        void reduce(payload.segments, key, [
          `(//comment()[.='&'])[${index + 1}]/following-sibling::`,
          `(//comment()[.='/&'])[${others.length - index}]/preceding-sibling::`,
        ]),
    )
  }
  return write()
}

type PayloadTree = { key: string; slots?: Record<string, PayloadTree> }
type PayloadRow = { tree: PayloadTree; segments: Record<string, unknown> }

/** Keys of segments, from the outermost on, for as long as each has one slot at most. */
function chainOf({ key, slots }: PayloadTree): string[] {
  const names = Object.keys(slots ?? {})
  const [name = ''] = names
  const child = slots?.[name]
  return child && names.length === 1 ? [key, ...chainOf(child)] : [key]
}

/** A payload's rows of JSON, by id. */
type Rows = ReadonlyMap<string, Row>

function parseRows(text: string): Rows {
  const rows = new Map<string, Row>()
  for (let start = 0; start < text.length; ) {
    const colon = text.indexOf(':', start)
    const end = text.indexOf('\n', colon)
    const first = text[colon + 1]
    if (first === '[' || first === '{' || first === '"') {
      const value: unknown = JSON.parse(text.slice(colon + 1, end))
      rows.set(text.slice(start, colon), { holder: { in: { value }, at: 'value' }, state: 'same' })
    }
    start = end + 1
  }
  return rows
}

/** How rows are referred to: as a whole, or by paths to what is inside of them. */
function countReferences(text: string) {
  const whole = new Map<string, number>()
  const inside = new Set<string>()
  for (const [, id = '', end] of text.matchAll(/"\$[@A-Zg-z]?([0-9a-f]+)([":])/g)) {
    if (end === ':') inside.add(id)
    else whole.set(id, (whole.get(id) ?? 0) + 1)
  }
  return { whole, inside }
}

function createReducer(text: string, rows: Rows) {
  const counts = countReferences(text)
  const names: Record<string, string> = {}
  const references: HtmlReference[] = []
  /** Siblings of which some have to stay. */
  const mixed: Siblings[] = []

  /** Adds the elements of a node to its siblings. @returns its shape; `null` when it has to stay */
  function collect(holder: Holder, context: Context): Shape | null {
    const node = holder.in[holder.at]
    if (typeof node === 'string') return collectText(node, holder, context)
    if (typeof node === 'number') return { n: node }
    if (Array.isArray(node)) {
      if (node[0] === '$') return collectElement(node as Tuple, holder, context)
      const shapes = node.map((_, at) =>
        collect({ in: node as unknown as Holder['in'], at }, context),
      )
      return shapes.includes(null) ? null : (shapes as Shape[])
    }
    return node === null || typeof node === 'boolean' ? { n: node } : unknown(context)
  }

  /** A text, or a reference to what another row holds. */
  function collectText(text: string, holder: Holder, context: Context): Shape | null {
    if (!text.startsWith('$') || text.startsWith('$$')) {
      if (text === '') return { n: text }
      return isReadable(text) && !holdsNoText.has(context.around?.tag ?? '') ? 0 : null
    }
    if (text === '$undefined') return { n: text }
    const id = text.slice(2)
    const row = text[1] === 'L' && counts.whole.get(id) === 1 ? rows.get(id) : undefined
    if (!row) return unknown(context)
    const shape = collect(row.holder, { ...context, row })
    if (shape === null || counts.inside.has(id)) return null
    // It becomes a part of the row around it.
    const child = context.siblings.all.at(-1)
    if (child?.in === row.holder.in) Object.assign(child, holder, { row: context.row })
    holder.in[holder.at] = row.holder.in.value
    row.state = 'gone'
    context.row.state = 'other'
    return shape
  }

  function unknown({ siblings }: Context): null {
    siblings.all.push(null)
    return null
  }

  function collectElement(tuple: Tuple, holder: Holder, context: Context): Shape | null {
    const [, type, key, props] = tuple
    const { row, siblings } = context
    const around = surroundingsIn(type, context.around)
    if (around === null) return unknown(context)
    const child: Child = { ...holder, tuple, row, shape: null }
    siblings.all.push(child)
    const isBody = type === 'body'
    const parent = isBody ? null : { siblings, child }
    const inside: Siblings = { parent, origin: isBody ? bodyOrigin : siblings.origin, all: [] }
    const inner = { row, siblings: inside, around }
    const hasChildren = 'children' in props && !around.isOpaque
    const c = hasChildren ? collect({ in: props, at: 'children' }, inner) : undefined
    const own = around.isStatic && c !== null ? readProps(props) : null
    if (own === null || c === null) mixed.push(inside)
    else child.shape = shapeOf(key, own, isDefault(c) ? undefined : c)
    return child.shape
  }

  /** @returns what the attributes do not tell; `null` where it is not known what they do */
  function readProps(props: Record<string, unknown>): Record<string, unknown> | null {
    const own: Record<string, unknown> = {}
    for (const prop in props) {
      if (prop === 'children') continue
      const value = props[prop]
      const attribute = attributeOf(prop)
      if (attribute === null || !isPlain(value)) return null
      if (attribute !== prop) names[attribute] = prop
      if (!isTold(prop, value)) own[prop] = value
    }
    return own
  }

  function replace(siblings: Siblings): void {
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

  return {
    reduce(segments: Record<string, unknown>, key: string, origin: Origin | null): void {
      const siblings: Siblings = { parent: null, origin, all: [] }
      const row = rows.get('0') as Row
      collect({ in: segments, at: key }, { row, siblings, around: null })
      mixed.push(siblings)
      mixed.splice(0).forEach(replace)
    },
    write(): string {
      if (references.length === 0) return text
      let written = `${referencesMark}${JSON.stringify([names, ...references])}\n`
      for (let start = 0; start < text.length; ) {
        const end = text.indexOf('\n', start) + 1
        const id = text.slice(start, text.indexOf(':', start))
        const row = rows.get(id)
        if (row === undefined || row.state === 'same') written += text.slice(start, end)
        else if (row.state === 'other') written += `${id}:${JSON.stringify(row.holder.in.value)}\n`
        start = end
      }
      return written
    },
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

function shapeOf(key: string | null, own: Record<string, unknown>, c: Shape | undefined): Shape {
  const isDefault = c === undefined && Object.keys(own).length === 0
  if (isDefault) return key ?? 0
  return {
    ...(key === null ? {} : { k: key }),
    ...(Object.keys(own).length === 0 ? {} : { p: own }),
    ...(c === undefined ? {} : { c }),
  }
}

/** Whether the DOM alone tells the children. */
function isDefault(shape: Shape | undefined): boolean {
  if (!Array.isArray(shape)) return shape === undefined || shape === 0
  return shape.length > 1 && shape.every((each) => each === 0)
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !value.startsWith('$') || /^\$(?:\$|undefined$)/.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isPlain)
}
