/** A row in a payload. */
export type FlightRow = {
  readonly id: string
  readonly kind: string
  /** Size of the whole row, including its id and end. */
  readonly bytes: number
  /** Offset in the payload at which the row's content starts. */
  readonly start: number
  /** True for a row that only React's development build writes. */
  readonly isDevOnly: boolean
}

const kinds: Readonly<Record<string, readonly [kind: string, isDevOnly?: true]>> = {
  I: ['client component'],
  H: ['hint'],
  T: ['text'],
  E: ['error'],
  D: ['debug', true],
  J: ['debug', true],
  N: ['time', true],
  W: ['console', true],
  R: ['stream'],
  r: ['stream'],
  X: ['async iterable'],
  x: ['async iterable'],
  C: ['end of a stream'],
  P: ['postponed'],
}

// Binary rows start with their length, and have no newline at the end.
const binary = new Set('TAOoUSsLlGgMmVb')

const newline = 10
const colon = 58
const comma = 44

// Sizes of the parts of a frame. A frame consists of its length (8 digits and a newline), a part of
// the payload, and a checksum with 10 characters.
const lengthDigits = 8
const headBytes = 9
const trailerBytes = 10

/** Removes the frames around page data. @returns the payload */
export function withoutFrames(bytes: Uint8Array): Uint8Array {
  const payload = new Uint8Array(bytes.length)
  const decoder = new TextDecoder()
  let size = 0
  for (let at = 0; at < bytes.length; ) {
    const digits = decoder.decode(bytes.subarray(at, at + lengthDigits))
    const length = /^[\da-f]+$/.test(digits) ? Number.parseInt(digits, 16) : null
    if (length === null) break
    const partAt = at + headBytes
    payload.set(bytes.subarray(partAt, partAt + length), size)
    size += Math.min(length, bytes.length - partAt)
    at = partAt + length + trailerBytes
  }
  return payload.subarray(0, Math.max(0, size))
}

/**
 * Splits a payload into its rows.
 * @see react-server-dom, the format of Flight: `ID:TAG…\n`, or `ID:TAG` LENGTH `,` and the bytes
 */
export function readFlightRows(bytes: Uint8Array): readonly FlightRow[] {
  const rows = splitRows(bytes)
  // Ids of rows to which debug rows refer. Such a row is debug data, too, for example the component
  // that rendered an element.
  const noted = new Set<string>()
  for (const { kind, start, bytes: length } of rows) {
    if (kind !== 'debug' && kind !== 'console') continue
    const text = new TextDecoder().decode(bytes.subarray(start, start + length))
    for (const [, id = ''] of text.matchAll(/"\$([\da-f]+)"/g)) noted.add(id)
  }
  return rows.map((row) => (noted.has(row.id) ? { ...row, kind: 'debug', isDevOnly: true } : row))
}

function splitRows(bytes: Uint8Array): readonly FlightRow[] {
  const rows: FlightRow[] = []
  const decoder = new TextDecoder()
  let at = 0
  while (at < bytes.length) {
    const begin = at
    const colonAt = bytes.indexOf(colon, at)
    if (colonAt === -1) break
    const id = decoder.decode(bytes.subarray(begin, colonAt)).trim()
    const tag = String.fromCharCode(bytes[colonAt + 1] ?? 0)
    const start = colonAt + 2
    if (binary.has(tag)) {
      const commaAt = bytes.indexOf(comma, start)
      const length = Number.parseInt(decoder.decode(bytes.subarray(start, commaAt)), 16)
      if (commaAt === -1 || Number.isNaN(length)) break
      at = commaAt + 1 + length
      rows.push(rowOf({ id, tag, start: commaAt + 1 }, at - begin))
      continue
    }
    const endAt = bytes.indexOf(newline, colonAt)
    at = endAt === -1 ? bytes.length : endAt + 1
    const isTagged = Object.hasOwn(kinds, tag)
    rows.push(
      rowOf({ id, tag: isTagged ? tag : '', start: isTagged ? start : colonAt + 1 }, at - begin),
    )
  }
  return rows
}

function rowOf(
  { id, tag, start }: { readonly id: string; readonly tag: string; readonly start: number },
  bytes: number,
): FlightRow {
  const [kind, isDevOnly] = kinds[tag] ?? [binary.has(tag) ? 'binary' : 'elements and data']
  return { id: id || '–', kind, bytes, start, isDevOnly: isDevOnly === true }
}
