/** An element as React's Flight writes it. */
export type Tuple = ['$', type: string, key: string | null, props: Record<string, unknown>]

export type Container = Record<string | number, unknown>

/** A row of the payload, parsed; `gone` is one that stands in another row. */
export type Row = {
  readonly id: string
  readonly value: Container
  state: 'same' | 'other' | 'gone'
}

export type FlightRows = {
  readonly byId: ReadonlyMap<string, Row>
  /** How often each row is referred to as a whole. */
  readonly uses: ReadonlyMap<string, number>
  /** Rows that others refer into. */
  readonly shared: ReadonlySet<string>
  /** Parts of rows that such a reference passes through, or refers to with all that is inside. */
  readonly referred: ReadonlySet<unknown>
}

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
  const referred = new Set<unknown>()
  const whole = new Set<unknown>()
  for (const [, id = '', path] of text.matchAll(references)) {
    if (path === undefined) uses.set(id, (uses.get(id) ?? 0) + 1)
    else {
      shared.add(id)
      let value = byId.get(id)?.value[0]
      for (const name of (JSON.parse(`"${path}"`) as string).split(':')) {
        referred.add(value)
        value = partOf(value, name)
      }
      addWhole(value, byId, whole)
    }
  }
  for (const value of whole) referred.add(value)
  return { byId, uses, shared, referred }
}

const references = /"\$[@A-Zg-z]?([0-9a-f]+)(?:"|:((?:[^"\\]|\\.)*)")/g

// React names the parts of an element, which is an array here.
const parts: Readonly<Record<string, number>> = { type: 1, key: 2, props: 3 }

function partOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const isElement = Array.isArray(value) && value[0] === '$'
  return (value as Container)[(isElement && parts[name]) || name]
}

function addWhole(value: unknown, byId: FlightRows['byId'], whole: Set<unknown>): void {
  const rest = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    const id = typeof next === 'string' && /^\$L?([0-9a-f]+)$/.exec(next)?.[1]
    if (id) rest.push(byId.get(id)?.value)
    if (typeof next !== 'object' || next === null || whole.has(next)) continue
    whole.add(next)
    for (const part of Object.values(next)) rest.push(part)
  }
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
