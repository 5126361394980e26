/** A reusable buffer for building long strings. */

const initialBytes = 65_536

const maxCachedBytes = 1_048_576

/** Length from which the runtime's functions are faster than a loop. */
export const maxLoopedText = 100

export type TextBuffer = { bytes: Buffer; end: number; isAscii: boolean }

export function createTextBuffer(): TextBuffer {
  return { bytes: Buffer.allocUnsafeSlow(initialBytes), end: 0, isAscii: true }
}

/**
 * Returns the string that `write` puts into the buffer. Reentrant, so that `write` may build another
 * string.
 */
export function writtenText(buffer: TextBuffer, write: () => void): string {
  const { end: start, isAscii: wasAscii } = buffer
  buffer.isAscii = true
  try {
    write()
    return buffer.bytes.toString(buffer.isAscii ? 'latin1' : 'utf8', start, buffer.end)
  } finally {
    buffer.end = start
    buffer.isAscii = wasAscii
    if (start === 0 && buffer.bytes.length > maxCachedBytes) {
      buffer.bytes = Buffer.allocUnsafeSlow(initialBytes)
    }
  }
}

export function putPlain(buffer: TextBuffer, text: string): void {
  const bytes = withRoom(buffer, text.length)
  let at = buffer.end
  for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
  buffer.end = at
}

export function putByte(buffer: TextBuffer, byte: number): void {
  withRoom(buffer, 1)[buffer.end++] = byte
}

export function putEncoded(buffer: TextBuffer, text: string): void {
  const length = withRoom(buffer, text.length * 3).write(text, buffer.end)
  if (length !== text.length) buffer.isAscii = false
  buffer.end += length
}

export function withRoom(buffer: TextBuffer, needed: number): Buffer {
  const { bytes, end } = buffer
  if (end + needed <= bytes.length) return bytes
  buffer.bytes = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + needed))
  bytes.copy(buffer.bytes, 0, 0, end)
  return buffer.bytes
}

/** Writes a string as `JSON.stringify` does. Escapes lone surrogates, which UTF-8 can't encode. */
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

// Writes the rest of a string as UTF-8. Leaves characters of two code units, such as emoji, to the
// runtime.
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
