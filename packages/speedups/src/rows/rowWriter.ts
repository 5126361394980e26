/**
 * Writes the rows of a Flight payload. Each value is written as soon as React's renderer has resolved it.
 * Strings and host elements need no renderer. The bytes are the same as from React's writer, except that
 * a string of up to 32,000 characters stays in its row.
 * @see docs/decisions/rendering-cost.md
 */
import { createTextBuffer, putByte, putJsonText, putPlain, writtenText } from './textBuffer.ts'

const elementType = Symbol.for('react.transitional.element')

const maxShortText = 200

/** Length from which a string gets a separate row. React's limit is 1,024 bytes. */
const outlinedText = 32_000

/** Length from which further elements get separate rows. Parsing a row of this length takes a few milliseconds. */
const fullRow = 500_000

/**
 * Maximum depth of elements in a row. Deeper elements get a separate row, because the writer calls
 * itself for each level.
 */
const deepRow = 250

/** Maximum depth of data. React's own writer overflows the stack at 2,000 to 4,000 levels. */
const dataDepth = 1_000

const lineEnd = 10
const dollar = 36
const comma = 44
const colon = 58
const arrayStart = 91
const arrayEnd = 93
const objectStart = 123
const objectEnd = 125

type Model = Readonly<Record<string, unknown>>
type Tuple = readonly [symbol: symbol, type: unknown, key: unknown, props: Model]
type Element = { readonly type: string; readonly key: string | null; readonly props: Model }
type Paths = WeakMap<object, string>

type Request = { readonly writtenObjects: Paths; readonly temporaryReferences: unknown }
type Task = { readonly id: number; readonly keyPath: unknown; readonly implicitSlot: boolean }

/** Functions of React's renderer. */
type Renderer = {
  resolve(request: Request, task: Task, holder: object, name: string, value: unknown): unknown
  renderElement(
    request: Request,
    task: Task,
    type: string,
    key: string | null,
    ref: null,
    props: Model,
  ): unknown
}

type Row = { readonly rows: Rows; readonly request: Request; readonly task: Task }
type Rows = ReturnType<typeof createRows>

/** Creates the writer that all renderings of a process share. */
export function createRowWriter(renderer: Renderer) {
  const rows = createRows(renderer)
  return Object.assign(rows, {
    write(request: Request, task: Task, model: unknown): string {
      const { buffer, depth } = rows
      try {
        return writtenText(buffer, () => {
          putPlain(buffer, `${task.id.toString(16)}:`)
          resolveAndWrite({ rows, request, task }, { '': model }, undefined, '', model)
          putByte(buffer, lineEnd)
        })
      } finally {
        rows.depth = depth
        rows.holder = rows.returned = null
      }
    },
    isFull: (): boolean => isFull(rows, ''),
    /**
     * Returns the path with which React can refer to an object while React resolves the object's
     * members.
     */
    pathOf: (written: Paths, object: object): string | undefined =>
      object === rows.holder ? rows.holderPath : written.get(object),
    enter(written: Paths, model: object, path: string): void {
      if (isTuple(model)) {
        rows.returned = model
        rows.returnedPath = path
      } else if (!written.has(model)) written.set(model, path)
    },
  })
}

function createRows(renderer: Renderer) {
  return {
    renderer,
    buffer: createTextBuffer(),
    /** Number of characters in the current row, as React counts them. */
    size: 0,
    depth: 0,
    // Store the current objects and paths here instead of in React's WeakMap, because an entry for each
    // tuple would cost time.
    holder: null as object | null,
    holderPath: undefined as string | undefined,
    returned: null as object | null,
    returnedPath: undefined as string | undefined,
  }
}

function isFull({ size, depth }: Rows, name: string): boolean {
  return size + name.length > fullRow || depth > deepRow
}

// Pass separate parameters instead of an object, because this function runs for each value.
function writeValue(
  row: Row,
  holder: object,
  path: string | undefined,
  name: string,
  value: unknown,
): void {
  const { rows } = row
  if (typeof value === 'string') {
    if (value.length < outlinedText) {
      rows.size += name.length + value.length
      putString(rows, value)
      return
    }
  } else if (value === null || typeof value === 'boolean') {
    rows.size += name.length
    putPlain(rows.buffer, `${value}`)
    return
  } else if (isHostElement(value) && writeHostElement(row, path, name, value)) return
  resolveAndWrite(row, holder, path, name, value)
}

function resolveAndWrite(
  row: Row,
  holder: object,
  path: string | undefined,
  name: string,
  value: unknown,
): void {
  const { rows, request, task } = row
  rows.holder = holder
  rows.holderPath = path
  const resolved = rows.renderer.resolve(request, task, holder, name, value)
  if (typeof resolved === 'string') putJsonText(rows.buffer, resolved)
  else if (typeof resolved !== 'object' || resolved === null) putPlain(rows.buffer, `${resolved}`)
  else {
    if (rows.depth > dataDepth) {
      // Throw a RangeError, as React's own writer does when the stack overflows.
      throw new RangeError(`Data is nested more than ${dataDepth} levels deep.`)
    }
    const writtenPaths = request.writtenObjects
    const dataPath = resolved === rows.returned ? rows.returnedPath : writtenPaths.get(resolved)
    if (!Array.isArray(resolved)) writeMembers(row, resolved as Model, dataPath)
    else if (isTuple(resolved)) writeTuple(row, resolved, dataPath)
    else writeArray(row, resolved, dataPath)
  }
}

/** @returns true if the element was written without React's renderer */
function writeHostElement(
  row: Row,
  path: string | undefined,
  name: string,
  element: Element,
): boolean {
  const { rows, request, task } = row
  const written = request.writtenObjects
  // Leave the element to React if it needs its parents' keys, a separate row, or a reference.
  if (task.keyPath !== null || task.implicitSlot) return false
  if (isFull(rows, name) || request.temporaryReferences !== undefined) return false
  const { type, key, props } = element
  const kind = kindOf(props)
  if (kind === 'special' || written.has(element)) return false
  let elementPath: string | undefined
  if (kind === 'long' && path !== undefined && !name.includes(':')) {
    elementPath = `${path}:${name}`
    written.set(element, elementPath)
  }
  try {
    rows.renderer.renderElement(request, task, type, key, null, props)
  } catch {
    // Ignore the error: React renders the element again, and handles the error when it is thrown again.
    written.delete(element)
    return false
  }
  rows.size += name.length + 4 + type.length
  putPlain(rows.buffer, '["$",')
  putString(rows, type)
  if (key === null) putPlain(rows.buffer, ',null,')
  else {
    rows.size += key.length
    putByte(rows.buffer, comma)
    putString(rows, key)
    putByte(rows.buffer, comma)
  }
  writeProps(row, props, kind, elementPath)
  putByte(rows.buffer, arrayEnd)
  return true
}

function writeTuple(row: Row, tuple: Tuple, path: string | undefined): void {
  const { rows, request } = row
  const props = tuple[3]
  const kind = kindOf(props)
  if (kind === 'special' || request.temporaryReferences !== undefined) {
    writeArray(row, tuple, path)
    return
  }
  rows.size += 2
  putPlain(rows.buffer, '["$",')
  writeValue(row, tuple, path, '1', tuple[1])
  putByte(rows.buffer, comma)
  writeValue(row, tuple, path, '2', tuple[2])
  putByte(rows.buffer, comma)
  writeProps(row, props, kind, path)
  putByte(rows.buffer, arrayEnd)
}

function writeProps(row: Row, props: Model, kind: 'short' | 'long', path: string | undefined) {
  const written = row.request.writtenObjects
  if (kind === 'short') return writeMembers(row, props, undefined)
  const writtenPath = written.get(props)
  if (writtenPath !== undefined) return putJsonText(row.rows.buffer, writtenPath)
  const propsPath = path === undefined ? undefined : `${path}:props`
  if (propsPath !== undefined) written.set(props, propsPath)
  writeMembers(row, props, propsPath)
}

function writeArray(row: Row, array: readonly unknown[], path: string | undefined): void {
  const { buffer } = row.rows
  row.rows.depth++
  putByte(buffer, arrayStart)
  for (let index = 0; index < array.length; index++) {
    if (index > 0) putByte(buffer, comma)
    writeValue(row, array, path, `${index}`, array[index])
  }
  putByte(buffer, arrayEnd)
  row.rows.depth--
}

function writeMembers(row: Row, object: Model, path: string | undefined): void {
  const { rows } = row
  let separator = objectStart
  rows.depth++
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue
    putByte(rows.buffer, separator)
    separator = comma
    putJsonText(rows.buffer, name)
    putByte(rows.buffer, colon)
    writeValue(row, object, path, name, object[name])
  }
  if (separator === objectStart) putByte(rows.buffer, objectStart)
  putByte(rows.buffer, objectEnd)
  rows.depth--
}

// Writes a string. Doubles a `$` at its beginning, because Flight reads such a string as a reference.
function putString({ buffer }: Rows, value: string): void {
  putJsonText(buffer, value.charCodeAt(0) === dollar ? `$${value}` : value)
}

function isHostElement(value: unknown): value is Element {
  const object = value as { readonly [name: string]: unknown }
  // Read the type and key of React elements only, as React does, because a getter of another object may
  // throw.
  if (typeof value !== 'object' || object.$$typeof !== elementType) return false
  const { type, key } = object
  if (typeof type !== 'string') return false
  return key === null || (typeof key === 'string' && key.length < outlinedText)
}

function isTuple(model: unknown): model is Tuple {
  return Array.isArray(model) && model.length === 4 && model[0] === elementType
}

/**
 * Classifies props. `short` props are as short as a reference, so they need no entry for references.
 * `special` props aren't a plain object, or React examines them in a particular way.
 */
function kindOf(props: Model): 'short' | 'long' | 'special' {
  if (typeof props !== 'object' || props === null) return 'special'
  if (Object.getPrototypeOf(props) !== Object.prototype) return 'special'
  let isShort = true
  for (const name in props) {
    if (name === 'ref' || name === 'then' || name === 'toJSON' || name === '$$typeof')
      return 'special'
    if (isShort) isShort = isShortValue(props[name])
  }
  return isShort ? 'short' : 'long'
}

function isShortValue(value: unknown): boolean {
  if (typeof value === 'object') return value === null
  return typeof value !== 'string' || value.length <= maxShortText
}
