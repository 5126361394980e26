/** Bytes that JSON is written into: one buffer for all rows, since each is written in one go. */

const initialBytes = 65_536

/** A buffer that has grown larger is given back. */
const maxCachedBytes = 1_048_576

/** Longer texts are written faster by functions of the runtime than character by character. */
const maxLoopedText = 100

export type RowBuffer = { bytes: Buffer; end: number; isAscii: boolean }

export function createRowBuffer(): RowBuffer {
  return { bytes: Buffer.allocUnsafeSlow(initialBytes), end: 0, isAscii: true }
}

/** What `write` writes, as text; also while another text is written. */
export function writtenText(buffer: RowBuffer, write: () => void): string {
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

/** Writes a text as `JSON.stringify` does. */
export function putText(buffer: RowBuffer, text: string): void {
  const { length } = text
  if (length > maxLoopedText) {
    putJson(buffer, JSON.stringify(text))
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
      putJson(buffer, JSON.stringify(text))
      return
    }
    bytes[at++] = code
  }
  bytes[at++] = 34
  buffer.end = at
}

// The rest of a text in UTF-8. Emoji and such, two code units each, are left to the runtime.
function putWide(buffer: RowBuffer, text: string, from: number, end: number): void {
  const { bytes } = buffer
  let at = end
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) {
      putJson(buffer, JSON.stringify(text))
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

// Lone surrogates are escaped in JSON: nothing is lost in UTF-8.
function putJson(buffer: RowBuffer, json: string): void {
  const length = withRoom(buffer, json.length * 3).write(json, buffer.end)
  if (length !== json.length) buffer.isAscii = false
  buffer.end += length
}

/** Writes ASCII as it is. */
export function putPlain(buffer: RowBuffer, text: string): void {
  const bytes = withRoom(buffer, text.length)
  let at = buffer.end
  for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
  buffer.end = at
}

export function putByte(buffer: RowBuffer, byte: number): void {
  withRoom(buffer, 1)[buffer.end++] = byte
}

function withRoom(buffer: RowBuffer, needed: number): Buffer {
  const { bytes, end } = buffer
  if (end + needed <= bytes.length) return bytes
  buffer.bytes = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + needed))
  bytes.copy(buffer.bytes, 0, 0, end)
  return buffer.bytes
}
