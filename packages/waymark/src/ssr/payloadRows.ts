/** An element as React's Flight writes it. */
export type Tuple = ['$', type: string, key: string | null, props: Record<string, unknown>]

/** An array or object, parsed from JSON. */
export type Container = Record<string | number, unknown>

/** A row of the payload, parsed; `gone` is one that stands in another row. */
export type Row = {
  readonly id: string
  readonly value: Container
  state: 'same' | 'other' | 'gone'
}

/** A payload of lines, parsed. */
export type FlightRows = {
  readonly byId: ReadonlyMap<string, Row>
  /** How often each row is referred to as a whole. */
  readonly uses: ReadonlyMap<string, number>
  /** Rows that others refer into. */
  readonly shared: ReadonlySet<string>
}

/** Parses the rows that are JSON. @param text a whole payload of lines */
export function parseRows(text: string): FlightRows {
  const byId = new Map<string, Row>()
  for (let start = 0; start < text.length; ) {
    const colon = text.indexOf(':', start)
    const end = text.indexOf('\n', colon)
    const first = text[colon + 1]
    if (first === '[' || first === '{' || first === '"') {
      const value = [JSON.parse(text.slice(colon + 1, end))] as unknown as Container
      const id = text.slice(start, colon)
      byId.set(id, { id, value, state: 'same' })
    }
    start = end + 1
  }
  const uses = new Map<string, number>()
  const shared = new Set<string>()
  for (const [, id = '', end] of text.matchAll(/"\$[@A-Zg-z]?([0-9a-f]+)([":])/g)) {
    if (end === ':') shared.add(id)
    else uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  return { byId, uses, shared }
}

/** The inverse, for the same text. */
export function writeRows(text: string, { byId }: FlightRows): string {
  let written = ''
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1
    const id = text.slice(start, text.indexOf(':', start))
    const row = byId.get(id)
    if (row === undefined || row.state === 'same') written += text.slice(start, end)
    else if (row.state === 'other') written += `${id}:${JSON.stringify(row.value[0])}\n`
    start = end
  }
  return written
}
