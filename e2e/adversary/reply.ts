import { mutate } from '../harness/mutations.ts'
import type { Random } from './random.ts'

/** A row of a Flight reply. React's client sends the arguments of a call as such rows. */
export type Row = readonly [id: string, text: string]

/** Inputs for generating a reply. */
export type ReplySource = {
  readonly random: Random
  /** Ids of the app's actions, for references to server functions. */
  readonly actionIds: readonly string[]
}

/**
 * Creates a reply that follows the grammar of React's `decodeReply`, with values and all kinds of
 * references: to rows that exist, to missing rows, and to earlier rows. Then duplicates, drops or
 * breaks some rows.
 * @param first id of the first row: 0 for a call, 1 for the bound arguments of a form's action
 */
export function makeReply(source: ReplySource, first: 0 | 1): Row[] {
  const { random } = source
  const count = random.weighted([
    [3, 1],
    [4, 2],
    [3, 3],
    [1, 5],
  ])
  const grammar = createGrammar(source, first + count)
  const rows = Array.from({ length: count }, (_, index): Row => {
    const text = index === 0 ? grammar.arguments() : grammar.row()
    return [(first + index).toString(16), text]
  })
  return random.chance(0.3) ? disturb(random, rows) : rows
}

/**
 * Writes a row that refers to an action.
 * @param bound the row or the value of the action's bound arguments
 */
export function actionRow(random: Random, id: string, rowCount: number): string {
  const bound = random.weighted([
    [5, JSON.stringify(`$@${random.int(rowCount)}`)],
    [5, 'null'],
    [3, '[]'],
    [1, JSON.stringify(`$${random.int(rowCount)}`)],
    [1, JSON.stringify(`$h${random.int(rowCount)}`)],
  ])
  return random.chance(0.1)
    ? `{"id":${JSON.stringify(id)}}`
    : `{"id":${JSON.stringify(id)},"bound":${bound}}`
}

function createGrammar({ random, actionIds }: ReplySource, rowCount: number) {
  const value = (depth: number): string => {
    const kinds = depth > 2 ? flat : nested
    switch (random.weighted(kinds)) {
      case 'scalar':
        return random.pick(scalars)
      case 'special':
        return JSON.stringify(random.pick(specials))
      case 'reference':
        return JSON.stringify(reference())
      case 'array':
        return `[${random.list(0, 3, () => value(depth + 1)).join(',')}]`
      case 'object':
        return object(depth)
      case 'methods':
        return methods()
    }
  }
  const reference = () => {
    const row = random.chance(0.9) ? random.int(rowCount).toString(16) : random.pick(oddRows)
    const tag = random.weighted(tags)
    return `$${tag}${row}${random.chance(0.15) ? random.pick(routes) : ''}`
  }
  const object = (depth: number) => {
    const entries = random.list(0, 3, () => {
      const key = random.chance(0.7) ? random.pick(plainKeys) : random.pick(oddKeys)
      return `${JSON.stringify(key)}:${value(depth + 1)}`
    })
    return `{${entries.join(',')}}`
  }
  // Use the names of methods that an action calls on its arguments.
  const methods = () => {
    const called = methodNames.filter(() => random.chance(0.6))
    const value = () =>
      random.chance(0.6) ? `$h${random.int(rowCount).toString(16)}` : reference()
    const entries = called.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value())}`)
    return `{${entries.join(',')}}`
  }
  return {
    arguments: () =>
      random.chance(0.95) ? `[${random.list(0, 3, () => value(0)).join(',')}]` : value(0),
    row: () =>
      random.weighted([
        [5, () => actionRow(random, random.pick(actionIds), rowCount)],
        [4, () => value(0)],
        [1, () => `[${random.list(0, 3, () => `[${value(1)},${value(1)}]`).join(',')}]`],
        [1, () => random.pick(['C', 'C{}', 'R', 'text', '', '"', 'E{}', '{"message":"x"}'])],
      ])(),
  }
}

const flat = [
  [4, 'scalar'],
  [3, 'special'],
  [4, 'reference'],
] as const

const nested = [...flat, [2, 'array'], [2, 'object'], [3, 'methods']] as const

const tags: readonly (readonly [number, string])[] = [
  [8, 'h'],
  [4, ''],
  [3, '@'],
  [2, 'F'],
  ...'QWKiRrXxBTZAOoUSsLlGgMmVn'.split('').map((tag): [number, string] => [1, tag]),
]

const scalars = ['null', 'true', '0', '-1', '1e999', '1.5', '"a"', '""', '"typed"', '[]', '{}']

const specials = [
  '$undefined',
  '$NaN',
  '$Infinity',
  '$-Infinity',
  '$-0',
  '$u',
  '$N',
  '$I',
  '$',
  '$$',
  '$$1',
  '$D2026-11-21T00:00:00.000Z',
  '$Dnever',
  '$n123',
  '$n-1',
  '$nx',
  `$n${'9'.repeat(200)}`,
  '$T',
  '$T1',
  '$K',
  '$Z',
  '$ZE',
  '$e',
  '$l',
  '$c',
  '$p',
  '$S',
  '$Sreact.element',
  '$d1',
  '$E',
]

const oddRows = ['', '9', 'ff', '-1', 'g', '00', '0x1', '1.5', '99999999', '__proto__', ':', ' 1']

const routes = [
  ':0',
  ':a',
  ':a:b',
  ':then',
  ':id',
  ':bound',
  ':length',
  ':constructor',
  ':__proto__',
  ':__proto__:then',
  ':constructor:constructor',
  ':trim',
  ':0:0:0',
  ':prototype',
  ':',
]

const plainKeys = ['a', 'b', 'name', 'id', 'bound', 'length', '0']

const oddKeys = ['then', '__proto__', 'constructor', 'prototype', '$$typeof', '$$id', 'get', 'on']

const methodNames = ['trim', 'toString', 'valueOf', 'toJSON', 'map', 'then', 'forEach']

/** Duplicates, drops, renames, swaps or breaks a row. */
function disturb(random: Random, rows: readonly Row[]): Row[] {
  const at = random.int(rows.length)
  const [id, text] = rows[at] as Row
  const rest = rows.filter((_, index) => index !== at)
  switch (random.int(6)) {
    case 0:
      return [...rows, [id, random.pick(rows)[1]]]
    case 1:
      return [[id, random.pick(rows)[1]], ...rows]
    case 2:
      return rest
    case 3:
      return [...rest, [random.pick([`0${id}`, ` ${id}`, `_${id}`, `-${id}`, `${id}_a`]), text]]
    case 4:
      return rows.toReversed()
    default:
      return [...rest, [id, mutate(text, random.next)]]
  }
}
