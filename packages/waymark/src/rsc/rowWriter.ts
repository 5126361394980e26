/**
 * Writes the rows of a Flight payload. React's renderer resolves a model into a copy and gives that
 * to `JSON.stringify`; this writes each value as it is resolved, into one buffer, and what is
 * plain (texts, host elements) without asking the renderer. The bytes are React's.
 * @see docs/decisions/rendering-cost.md
 */

const elementType = Symbol.for('react.transitional.element')

/** More text than this is worth a reference. */
const maxShortText = 200

/** React writes longer texts as rows of their own. */
const outlinedText = 1024

/** Longer texts are written faster by functions of the runtime than character by character. */
const loopedText = 100

/** What a row holds before each further element gets a row, and a task, of its own. */
const fullRow = 32_000

/** A buffer that has grown larger is given back. */
const maxBufferBytes = 1_048_576

type Model = Readonly<Record<string, unknown>>
type Tuple = readonly [symbol: symbol, type: unknown, key: unknown, props: Model]
type Element = { readonly type: string; readonly key: string | null; readonly props: Model }

/** React's, as far as they are read here. */
type Request = {
  readonly writtenObjects: WeakMap<object, string>
  readonly temporaryReferences: unknown
}
type Task = {
  readonly id: number
  readonly keyPath: unknown
  readonly implicitSlot: boolean
}

/** Functions of React's renderer. */
type Renderer = {
  /** Resolves a value, but not what is in it. */
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

/** Creates the writer that all renderings of a process share: each row is written in one go. */
export function createRowWriter({ resolve, renderElement }: Renderer) {
  let bytes = Buffer.allocUnsafeSlow(65_536)
  let end = 0
  let isAscii = true
  // Where the object stands whose members are resolved, and what the last component has returned:
  // instead of entries in React's WeakMap for each tuple and all props.
  let holder: object | null = null
  let holderPath: string | undefined
  let returned: object | null = null
  let returnedPath: string | undefined
  const rows = { size: 0, write, pathOf, enter }
  return rows

  /** Writes what a task has rendered as a row, also within another row. */
  function write(request: Request, task: Task, model: unknown): string {
    const start = end
    const wasAscii = isAscii
    isAscii = true
    try {
      putPlain(`${task.id.toString(16)}:`)
      resolveAndWrite(request, task, { '': model }, undefined, '', model)
      putByte(10)
      return bytes.toString(isAscii ? 'latin1' : 'utf8', start, end)
    } finally {
      end = start
      isAscii = wasAscii
      if (start === 0 && bytes.length > maxBufferBytes) bytes = Buffer.allocUnsafeSlow(65_536)
    }
  }

  /** How React may refer to an object whose members it resolves. */
  function pathOf(written: WeakMap<object, string>, object: object): string | undefined {
    return object === holder ? holderPath : written.get(object)
  }

  /** Remembers where the result of a component stands. */
  function enter(written: WeakMap<object, string>, model: object, path: string): void {
    if (isTuple(model)) {
      returned = model
      returnedPath = path
    } else if (!written.has(model)) written.set(model, path)
  }

  function writeValue(
    request: Request,
    task: Task,
    parent: object,
    path: string | undefined,
    name: string,
    value: unknown,
  ): void {
    if (typeof value === 'string') {
      if (value.length < outlinedText) {
        rows.size += name.length + value.length
        putString(value)
        return
      }
    } else if (value === null || typeof value === 'boolean') {
      rows.size += name.length
      putPlain(`${value}`)
      return
    } else if (
      isHostElement(value) &&
      task.keyPath === null &&
      !task.implicitSlot &&
      rows.size <= fullRow &&
      request.temporaryReferences === undefined &&
      writeHostElement(request, task, path, name, value)
    ) {
      return
    }
    resolveAndWrite(request, task, parent, path, name, value)
  }

  function resolveAndWrite(
    request: Request,
    task: Task,
    parent: object,
    path: string | undefined,
    name: string,
    value: unknown,
  ): void {
    holder = parent
    holderPath = path
    const resolved = resolve(request, task, parent, name, value)
    if (typeof resolved === 'string') putText(resolved)
    else if (typeof resolved !== 'object' || resolved === null) putPlain(`${resolved}`)
    else {
      const own = resolved === returned ? returnedPath : request.writtenObjects.get(resolved)
      if (!Array.isArray(resolved)) writeMembers(request, task, resolved as Model, own)
      else if (isTuple(resolved) && request.temporaryReferences === undefined) {
        writeTuple(request, task, resolved, own)
      } else writeArray(request, task, resolved, own)
    }
  }

  /** @returns whether it is one without anything odd */
  function writeHostElement(
    request: Request,
    task: Task,
    path: string | undefined,
    name: string,
    element: Element,
  ): boolean {
    const { type, key, props } = element
    const kind = kindOf(props)
    if (kind === 'odd') return false
    const written = request.writtenObjects
    if (written.has(element)) return false
    let own: string | undefined
    if (kind === 'long' && path !== undefined && !name.includes(':')) {
      own = `${path}:${name}`
      written.set(element, own)
    }
    try {
      // Loads what it shows, and writes the content of some by itself.
      renderElement(request, task, type, key, null, props)
    } catch {
      return false
    }
    rows.size += name.length + 4 + type.length
    putPlain('["$",')
    putString(type)
    putByte(44)
    if (key === null) putPlain('null')
    else {
      rows.size += key.length
      putString(key)
    }
    putByte(44)
    writeProps(request, task, props, kind, own)
    putByte(93)
    return true
  }

  function writeTuple(request: Request, task: Task, tuple: Tuple, path: string | undefined): void {
    const props = tuple[3]
    const kind = kindOf(props)
    if (kind === 'odd') {
      writeArray(request, task, tuple, path)
      return
    }
    rows.size += 2
    putPlain('["$",')
    writeValue(request, task, tuple, path, '1', tuple[1])
    putByte(44)
    writeValue(request, task, tuple, path, '2', tuple[2])
    putByte(44)
    writeProps(request, task, props, kind, path)
    putByte(93)
  }

  function writeProps(
    request: Request,
    task: Task,
    props: Model,
    kind: 'short' | 'long',
    path: string | undefined,
  ): void {
    let own: string | undefined
    if (kind === 'long') {
      const written = request.writtenObjects
      const known = written.get(props)
      if (known !== undefined) {
        putText(known)
        return
      }
      if (path !== undefined) {
        own = `${path}:props`
        written.set(props, own)
      }
    }
    writeMembers(request, task, props, own)
  }

  function writeArray(
    request: Request,
    task: Task,
    array: readonly unknown[],
    path: string | undefined,
  ): void {
    putByte(91)
    for (let index = 0; index < array.length; index++) {
      if (index > 0) putByte(44)
      writeValue(request, task, array, path, `${index}`, array[index])
    }
    putByte(93)
  }

  function writeMembers(
    request: Request,
    task: Task,
    object: Model,
    path: string | undefined,
  ): void {
    let separator = 123
    for (const name in object) {
      if (!Object.hasOwn(object, name)) continue
      putByte(separator)
      separator = 44
      putText(name)
      putByte(58)
      writeValue(request, task, object, path, name, object[name])
    }
    if (separator === 123) putByte(123)
    putByte(125)
  }

  // With `$` begins what refers to something.
  function putString(value: string): void {
    putText(value.charCodeAt(0) === 36 ? `$${value}` : value)
  }

  function putText(text: string): void {
    const { length } = text
    if (length > loopedText) {
      putJson(JSON.stringify(text))
      return
    }
    if (end + length + 2 > bytes.length) grow(length + 2)
    const out = bytes
    let at = end
    out[at++] = 34
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code < 32 || code > 126 || code === 34 || code === 92) {
        putJson(JSON.stringify(text))
        return
      }
      out[at++] = code
    }
    out[at++] = 34
    end = at
  }

  // Lone surrogates are escaped in JSON: nothing is lost in UTF-8.
  function putJson(json: string): void {
    if (end + json.length * 3 > bytes.length) grow(json.length * 3)
    const length = bytes.write(json, end)
    if (length !== json.length) isAscii = false
    end += length
  }

  function putPlain(ascii: string): void {
    const { length } = ascii
    if (end + length > bytes.length) grow(length)
    for (let index = 0; index < length; index++) bytes[end + index] = ascii.charCodeAt(index)
    end += length
  }

  function putByte(byte: number): void {
    if (end === bytes.length) grow(1)
    bytes[end++] = byte
  }

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + needed))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
}

function isHostElement(value: unknown): value is Element {
  if (typeof value !== 'object') return false
  const { $$typeof, type, key } = value as { [name: string]: unknown }
  if ($$typeof !== elementType || typeof type !== 'string') return false
  return key === null || (typeof key === 'string' && key.length < outlinedText)
}

/** Tells whether an array is what React makes of an element. */
function isTuple(model: unknown): model is Tuple {
  return Array.isArray(model) && model.length === 4 && model[0] === elementType
}

/**
 * Tells how React writes an element's props: `short` ones are as short as a reference to them, and
 * need no entry; `odd` ones are no plain object, or React asks them what they are.
 */
function kindOf(props: Model): 'short' | 'long' | 'odd' {
  if (typeof props !== 'object' || props === null) return 'odd'
  if (Object.getPrototypeOf(props) !== Object.prototype) return 'odd'
  let isShort = true
  for (const name in props) {
    if (name === 'ref' || name === 'then' || name === 'toJSON' || name === '$$typeof') return 'odd'
    if (isShort) isShort = isShortValue(props[name])
  }
  return isShort ? 'short' : 'long'
}

function isShortValue(value: unknown): boolean {
  if (typeof value === 'object') return value === null
  return typeof value !== 'string' || value.length <= maxShortText
}
