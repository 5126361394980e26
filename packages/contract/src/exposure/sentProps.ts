import { fieldName, joinPath } from '../reads/fieldNames.ts'
import type { FlightRow, FlightRows } from './flightRows.ts'

/** The properties that the server sends to one element of a client component. */
export type SentProps = {
  readonly component: { readonly id: string; readonly name: string }
  readonly fields: readonly SentField[]
}

/** A value in the properties of a component. */
export type SentField = {
  /** Such as `user.name` or `items[].title`. Items of arrays, maps and sets are `[]`. */
  readonly path: string
  /** The value, if it's a string or a number. */
  readonly text: string | null
  /** Approximate size of the name and the value in the payload. */
  readonly bytes: number
}

// Limits for data that the app has built from a client's input.
const maxDepth = 12
const maxFields = 20_000

/** Lists the elements of client components in a payload, with the fields that each one is sent. */
export function readSentProps(rows: FlightRows): SentProps[] {
  const found: SentProps[] = []
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 200) return
    if (isElement(value)) {
      const component = resolve(value[1], rows)
      if (component.kind === 'client') {
        found.push({ component, fields: readFields(value[3], rows) })
      }
    }
    for (const each of Object.values(value)) walk(each, depth + 1)
  }
  for (const row of rows.values()) {
    if (row.kind === 'model') walk(row.value, 0)
    if (row.kind === 'stream') walk(row.items, 0)
  }
  return found
}

function readFields(props: unknown, rows: FlightRows): SentField[] {
  const fields: SentField[] = []
  const add = (path: string, text: string | null, value: unknown) => {
    const name = /[^.]*$/.exec(path)?.[0] ?? ''
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '') + name.length + '"":,'.length
    if (path !== '') fields.push({ path, text, bytes })
  }
  const follow = (sent: unknown, path: string, outer: readonly unknown[]): void => {
    if (fields.length >= maxFields || outer.length > maxDepth) return
    const isMap = typeof sent === 'string' && sent.startsWith('$Q')
    const row = resolve(sent, rows)
    const value = row.kind === 'model' ? row.value : row
    // The value contains itself.
    if (typeof value === 'object' && outer.includes(value)) return
    const within = [...outer, value]
    switch (row.kind) {
      case 'text':
        add(path, row.text, row.text)
        return
      case 'client':
      case 'other':
        add(path, null, sent)
        return
      case 'stream':
        followItems(row.items)
        return
      case 'model':
        followModel(row.value)
    }

    function followModel(value: unknown) {
      if (typeof value !== 'object' || value === null || isElement(value)) {
        const isText = typeof value === 'string' || typeof value === 'number'
        add(path, isText ? String(value) : null, value)
        return
      }
      if (Array.isArray(value)) {
        followItems(isMap ? value.map((entry) => entry?.[1]) : value)
        return
      }
      const keys = Object.keys(value)
      if (keys.length === 0) add(path, null, value)
      for (const [key, each] of Object.entries(value)) {
        follow(each, joinPath(path, fieldName(key, keys.length)), within)
      }
    }

    function followItems(items: readonly unknown[]) {
      if (items.length === 0) add(`${path}[]`, null, items)
      for (const item of items) follow(item, `${path}[]`, within)
    }
  }
  follow(props, '', [])
  return fields
}

/**
 * Lists paths. Leaves out a value that has fields in other responses, such as an array that is
 * sometimes empty.
 */
export function mergePaths(paths: Iterable<string>): string[] {
  const all = [...new Set(paths)]
  const outer = new Set(
    all.flatMap((path) => [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index))),
  )
  const inner = new Set(
    all.filter((path) => path.endsWith('[]') && all.some((each) => each.startsWith(`${path}.`))),
  )
  return all.filter((path) => !outer.has(path) && !inner.has(path)).sort()
}

function isElement(value: object): value is readonly [string, unknown, unknown, unknown] {
  return Array.isArray(value) && value[0] === '$' && value.length >= 4
}

function isReference(text: string): boolean {
  return /^\$(?:[L@QWBKi]?[\da-f]+)(?::|$)/.test(text)
}

/** Follows a reference to its row. Values that aren't references stay as they are. */
function resolve(value: unknown, rows: FlightRows): FlightRow {
  let current = value
  // A chain of references that is longer than this is a circle.
  for (let step = 0; step < 50; step++) {
    if (typeof current !== 'string' || !current.startsWith('$')) {
      return { kind: 'model', value: current }
    }
    if (current.startsWith('$$')) return { kind: 'model', value: current.slice(1) }
    if (!isReference(current)) return { kind: 'other' }
    const [id = '', ...path] = current.replace(/^\$[L@QWBKi]?/, '').split(':')
    const row = rows.get(Number.parseInt(id, 16))
    if (!row || /^\$[BKi]/.test(current)) return { kind: 'other' }
    if (row.kind !== 'model') return row
    current = path.reduce<unknown>((from, key) => enter(from, key, rows), row.value)
  }
  return { kind: 'other' }
}

function enter(from: unknown, key: string, rows: FlightRows): unknown {
  const row = typeof from === 'string' ? resolve(from, rows) : { kind: 'model', value: from }
  const value = 'value' in row ? row.value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const place = isElement(value) ? (elementPlaces[key] ?? key) : key
  return Object.hasOwn(value, place) ? (value as Record<string, unknown>)[place] : undefined
}

const elementPlaces: Readonly<Record<string, string>> = { type: '1', key: '2', props: '3' }
