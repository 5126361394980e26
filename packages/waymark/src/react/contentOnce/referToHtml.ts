import { crc32 } from 'node:zlib'
import { escapeHtml } from '../../shared/html.ts'
import { setBounded } from '../../shared/maps.ts'
import { referencesMark } from '../../wire/documentMarks.ts'
import {
  createTextBuffer,
  maxLoopedText,
  putByte,
  putEncoded,
  putPlain,
  type TextBuffer,
  withRoom,
  writtenText,
} from '../textBuffer.ts'
import { createExtraction, type Extraction, extractElements } from './extractElements.ts'
import { referencePrefix } from './htmlReference.ts'
import { type Container, parseRows, type Tuple, writeRows } from './payloadRows.ts'
import { attributeOf, isNothing } from './readableHtml.ts'

type ShortenedPayload = {
  readonly text: string
  /** For React on the server: elements have a mark in place of their children. */
  readonly decodable: string
  /** How many of React's comments for slots the document must have. */
  readonly slots: number
  /** Puts the children in the place of their marks. */
  readonly complete: (html: string) => string
}

/** A shorter payload costs more to read than is gained. */
const minPayload = 2000

/**
 * Leaves out of a payload what the HTML of its document says, too: elements without components
 * inside, whose place in the DOM is known.
 * @returns `null` where there is nothing to leave out
 * @see readFromHtml.ts, the inverse
 */
export function referToHtml(text: string): ShortenedPayload | null {
  if (text.length < minPayload) return null
  const known = remembered.get(text)
  if (known !== undefined) return known
  const shortened = shorten(text)
  if (text.length <= maxRememberedText) remember(text, shortened)
  return shortened
}

// Many visitors often get one payload. This is a third of the cost of a document of 100 items.
const remembered = new Map<string, ShortenedPayload | null>()
const maxRemembered = 32
const maxRememberedText = 100_000

/** Checksums of payloads that came once: those for one visitor take no memory. */
const seen = new Map<number, true>()
const maxSeen = 1_000

function remember(text: string, shortened: ShortenedPayload | null): void {
  const checksum = crc32(text)
  if (seen.has(checksum)) setBounded(remembered, text, shortened, maxRemembered)
  else setBounded(seen, checksum, true, maxSeen)
}

function shorten(text: string): ShortenedPayload | null {
  // React writes no such text, but names of an app's data may be like it, whoever gives them.
  if (text.includes(`"${referencePrefix}`)) return null
  const parsed = parseRows(text)
  const extraction = createExtraction(text, parsed)
  const { tree, segments } = extraction.root.value[0] as Partial<Payload>
  if (!tree || !segments) return null
  const [outermost = '', ...others] = chainOf(tree)
  extractElements(extraction, segments, outermost, null)
  for (const [index, key] of others.entries()) {
    // Each stands inside of the one before, so they end in reverse.
    extractElements(extraction, segments, key, {
      start: [`(//comment()[.='&'])[${index + 1}]`, 'following-sibling::'],
      end: [`(//comment()[.='/&'])[${others.length - index}]`, 'preceding-sibling::'],
    })
  }
  const { names, origins, references, replaced } = extraction
  if (references.length === 0) return null
  const rows = writeRows(text, parsed)
  // Written at once: the parsed rows are not kept until React has rendered the rest.
  const children = replaced.map((each) => (each.isWritable ? childrenHtml(each.tuple) : ''))
  // Never sent: no text of the app can hold it.
  const secret = crypto.randomUUID()
  return {
    text: `${referencesMark}${JSON.stringify([names, origins, ...references])}\n${rows}`,
    decodable: rows.replace(placeholders, (_, index) =>
      markedTuple(replaced[index] as LeftOut, `<!--${secret} ${index}-->`),
    ),
    slots: others.length,
    complete: (html) => withChildren(html, secret, children),
  }
}

type LeftOut = Extraction['replaced'][number]

const placeholders = /"\$~(\d+)"/g

function markedTuple({ tuple, isWritable }: LeftOut, mark: string): string {
  const [, type, key, { children, ...props }] = tuple
  if (!isWritable || children === undefined) return JSON.stringify(tuple)
  return JSON.stringify(['$', type, key, { ...props, dangerouslySetInnerHTML: { __html: mark } }])
}

function withChildren(html: string, secret: string, children: readonly string[]): string {
  const [begin, ...parts] = html.split(`<!--${secret} `)
  const completed = parts.map((part) => {
    const end = part.indexOf('-->')
    return children[Number(part.slice(0, end))] + part.slice(end + 3)
  })
  return [begin, ...completed].join('')
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

const space = 32
const doubleQuote = 34
const dollar = 36
const ampersand = 38
const singleQuote = 39
const lessThan = 60
const greaterThan = 62
const lastPlain = 126

const buffer: TextBuffer = createTextBuffer()

/** Writes what is inside of an element as React does, where that is of the generic kind. */
export function childrenHtml([, , , props]: Tuple): string {
  return writtenText(buffer, () => putInside(props))
}

function putInside({ children, dangerouslySetInnerHTML: html }: Tuple[3]): void {
  if (html === undefined) putNode(children, false)
  else putEncoded(buffer, withoutEscape((html as { __html: string }).__html))
}

// Flight escapes what begins like a reference.
function withoutEscape(text: string): string {
  return text.charCodeAt(0) === dollar ? text.slice(1) : text
}

/** @returns whether it ends with a text, from which React divides the next one */
function putNode(node: unknown, isAfterText: boolean): boolean {
  if (typeof node === 'string' || typeof node === 'number') {
    if (node === '' || node === '$undefined') return isAfterText
    if (isAfterText) putPlain(buffer, '<!-- -->')
    putText(withoutEscape(String(node)))
    return true
  }
  if (!Array.isArray(node)) return isAfterText
  if (node[0] === '$') {
    putElement(node as Tuple)
    return false
  }
  let endsWithText = isAfterText
  for (const each of node) endsWithText = putNode(each, endsWithText)
  return endsWithText
}

const voids: ReadonlySet<string> = new Set(['br', 'hr', 'wbr'])

function putElement([, tag, , props]: Tuple): void {
  putByte(buffer, lessThan)
  putPlain(buffer, tag)
  for (const prop in props) {
    if (prop === 'children' || prop === 'dangerouslySetInnerHTML' || isNothing(props[prop])) {
      continue
    }
    putByte(buffer, space)
    putPlain(buffer, attributeOf(prop)?.written ?? prop)
    putPlain(buffer, '="')
    putText(String(props[prop]))
    putByte(buffer, doubleQuote)
  }
  if (voids.has(tag)) {
    putPlain(buffer, '/>')
    return
  }
  putByte(buffer, greaterThan)
  putInside(props)
  putPlain(buffer, '</')
  putPlain(buffer, tag)
  putByte(buffer, greaterThan)
}

function putText(text: string): void {
  if (text.length > maxLoopedText) {
    putEncoded(buffer, escapeHtml(text))
    return
  }
  const bytes = withRoom(buffer, text.length)
  let at = buffer.end
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > lastPlain || isEscaped(code)) {
      putEncoded(buffer, escapeHtml(text))
      return
    }
    bytes[at++] = code
  }
  buffer.end = at
}

function isEscaped(code: number): boolean {
  return (
    code === doubleQuote ||
    code === ampersand ||
    code === singleQuote ||
    code === lessThan ||
    code === greaterThan
  )
}
