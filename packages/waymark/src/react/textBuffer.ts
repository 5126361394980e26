/** Bytes that a long text is written into, piece by piece: one buffer serves all of a kind. */

const initialBytes = 65_536

/** A buffer that has grown larger is given back. */
const maxCachedBytes = 1_048_576

/** Longer pieces are written faster by functions of the runtime than character by character. */
export const maxLoopedText = 100

export type TextBuffer = { bytes: Buffer; end: number; isAscii: boolean }

export function createTextBuffer(): TextBuffer {
  return { bytes: Buffer.allocUnsafeSlow(initialBytes), end: 0, isAscii: true }
}

/** What `write` writes, as text; also while another text is written. */
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

/** Writes ASCII as it is. */
export function putPlain(buffer: TextBuffer, text: string): void {
  const bytes = withRoom(buffer, text.length)
  let at = buffer.end
  for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
  buffer.end = at
}

export function putByte(buffer: TextBuffer, byte: number): void {
  withRoom(buffer, 1)[buffer.end++] = byte
}

/** Writes a text in UTF-8, by the runtime's function. */
export function putEncoded(buffer: TextBuffer, text: string): void {
  const length = withRoom(buffer, text.length * 3).write(text, buffer.end)
  if (length !== text.length) buffer.isAscii = false
  buffer.end += length
}

/** @returns the bytes, with room for as many more behind the end */
export function withRoom(buffer: TextBuffer, needed: number): Buffer {
  const { bytes, end } = buffer
  if (end + needed <= bytes.length) return bytes
  buffer.bytes = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + needed))
  bytes.copy(buffer.bytes, 0, 0, end)
  return buffer.bytes
}
