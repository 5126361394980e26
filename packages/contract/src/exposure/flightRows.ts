/**
 * A row of React's Flight format, as far as fields of components need it.
 *
 * A row is `<id in hexadecimal>:<tag><content>`. The content ends with the line, or has its length in
 * bytes in front of it. A row without a tag is JSON.
 */
export type FlightRow =
  | { readonly kind: 'model'; readonly value: unknown }
  /** A component that runs in the browser. `id` names its module. */
  | { readonly kind: 'client'; readonly id: string; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stream'; readonly items: readonly unknown[] }
  | { readonly kind: 'other' }

export type FlightRows = ReadonlyMap<number, FlightRow>

// Typed arrays, buffers and long texts have their length in front of them.
const tagsWithLength = new Set('TAOobUSsLlGgMmV')
const tagsWithLine = new Set('IHENDJWRrXxCP')
const [newline, colon, comma] = [0x0a, 0x3a, 0x2c]

/** Reads the rows of a payload. Leaves out rows that are incomplete or that it doesn't know. */
export function readFlightRows(payload: Uint8Array): FlightRows {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  const rows = new Map<number, FlightRow>()
  for (let at = 0; at < bytes.length; ) {
    const idEnd = bytes.indexOf(colon, at)
    if (idEnd < 0) break
    const id = Number.parseInt(bytes.toString('latin1', at, Math.min(idEnd, at + 16)), 16)
    const tag = String.fromCharCode(bytes[idEnd + 1] ?? 0)
    if (tagsWithLength.has(tag)) {
      const lengthEnd = bytes.indexOf(comma, idEnd + 2)
      const length = Number.parseInt(bytes.toString('latin1', idEnd + 2, lengthEnd), 16)
      if (lengthEnd < 0 || Number.isNaN(length)) break
      at = lengthEnd + 1 + length
      const text = () => bytes.toString('utf8', lengthEnd + 1, at)
      rows.set(id, tag === 'T' ? { kind: 'text', text: text() } : { kind: 'other' })
      continue
    }
    const found = bytes.indexOf(newline, idEnd)
    const lineEnd = found < 0 ? bytes.length : found
    at = lineEnd + 1
    const isTagged = tagsWithLine.has(tag)
    const line = bytes.toString('utf8', idEnd + (isTagged ? 2 : 1), lineEnd)
    addRow(rows, { id, tag: isTagged ? tag : '', line })
  }
  return rows
}

function addRow(
  rows: Map<number, FlightRow>,
  { id, tag, line }: { readonly id: number; readonly tag: string; readonly line: string },
): void {
  if (Number.isNaN(id)) return
  switch (tag) {
    case 'I': {
      const value = parseJson(line)
      if (!Array.isArray(value)) return
      rows.set(id, { kind: 'client', id: String(value[0]), name: String(value[2]) })
      return
    }
    case 'R':
    case 'r':
    case 'X':
    case 'x':
      rows.set(id, { kind: 'stream', items: [] })
      return
    case '': {
      const value = parseJson(line)
      if (value === undefined) return
      const stream = rows.get(id)
      const isItem = stream?.kind === 'stream'
      const items = isItem ? [...stream.items, value] : []
      rows.set(id, isItem ? { kind: 'stream', items } : { kind: 'model', value })
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The payload was cut in this row.
    return undefined
  }
}
