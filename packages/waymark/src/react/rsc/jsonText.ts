import { maxLoopedText, putEncoded, type TextBuffer, withRoom } from '../textBuffer.ts'

/**
 * Writes a text as `JSON.stringify` does. Lone surrogates are escaped in JSON: nothing is lost in
 * UTF-8.
 */
export function putJsonText(buffer: TextBuffer, text: string): void {
  const { length } = text
  if (length > maxLoopedText) {
    putEncoded(buffer, JSON.stringify(text))
    return
  }
  const bytes = withRoom(buffer, length * 3 + 2)
  let at = buffer.end
  bytes[at++] = 34
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code > 126) {
      putWide(buffer, text, index, at)
      return
    }
    if (code < 32 || code === 34 || code === 92) {
      putEncoded(buffer, JSON.stringify(text))
      return
    }
    bytes[at++] = code
  }
  bytes[at++] = 34
  buffer.end = at
}

// The rest of a text in UTF-8. Emoji and such, two code units each, are left to the runtime.
function putWide(buffer: TextBuffer, text: string, from: number, end: number): void {
  const { bytes } = buffer
  let at = end
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) {
      putEncoded(buffer, JSON.stringify(text))
      return
    }
    if (code < 0x80) bytes[at++] = code
    else {
      if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6)
      else {
        bytes[at++] = 0xe0 | (code >> 12)
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
      }
      bytes[at++] = 0x80 | (code & 0x3f)
      buffer.isAscii = false
    }
  }
  bytes[at++] = 34
  buffer.end = at
}
