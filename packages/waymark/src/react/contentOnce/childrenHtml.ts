import { escapeHtml } from '../../shared/html.ts'
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
import type { Tuple } from './payloadRows.ts'
import { attributeOf, isNothing } from './readableHtml.ts'

// ASCII
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

/** Whether `escapeHtml` escapes a character. */
function isEscaped(code: number): boolean {
  return (
    code === doubleQuote ||
    code === ampersand ||
    code === singleQuote ||
    code === lessThan ||
    code === greaterThan
  )
}
