import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  decodeArguments,
  decodeForm,
  decodeWithinMs,
  formActionOf,
  formStateOf,
} from './decodeArguments.ts'

vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', async () => {
  const { loadServerReact } = await import('./testing/serverReact.ts')
  return loadServerReact()
})

beforeEach(() => {
  vi.useRealTimers()
})

/** Reads a body from a multipart request in the same way as an adapter. */
async function received(rows: readonly [string, string | Blob][]): Promise<FormData> {
  const fields = new FormData()
  for (const [name, value] of rows) fields.append(name, value)
  return new Request('https://site.test/', { method: 'POST', body: fields }).formData()
}

const malformed = null

describe('the arguments of a call', () => {
  test.each([
    ['an argument that can be decoded', '["a"]'],
    ['an invalid body', '["$Q'],
  ])('do not change stack traces after %s', async (_, body) => {
    const { stackTraceLimit } = Error
    await decodeArguments(body)
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
    expect(new Error('here').stack).toContain('decodeArguments.decode.test.ts')
  })

  test('are decoded from a text or from rows', async () => {
    expect(await decodeArguments('["a",1,"$D2026-01-01T00:00:00.000Z","$$@x"]')).toEqual([
      'a',
      1,
      new Date('2026-01-01'),
      '$@x',
    ])
    const rows = await received([
      ['0', '["$Q1","$K2","$W3"]'],
      ['1', '[["key","value"]]'],
      ['_2_name', 'Ada'],
      ['3', '[1,2]'],
    ])
    const decoded = await decodeArguments(rows)
    const [map, form, set] = valuesOf(decoded) as [Map<string, string>, FormData, Set<number>]
    expect([map.get('key'), form.get('name'), [...set]]).toEqual(['value', 'Ada', [1, 2]])
  })

  test('may contain circular objects', async () => {
    const decoded = await decodeArguments('[{"self":"$0:0"}]')
    const [circle] = valuesOf(decoded) as [{ self: unknown }]
    expect(circle.self).toBe(circle)
  })

  test('may contain promises, streams and iterators, which can be read from the beginning', async () => {
    const rows = await received([
      ['0', '["$@1","$R2","$X3","$x4","$i5","$o6"]'],
      ['1', '{"nested":"$@7"}'],
      ['S2', '"a"'],
      ['S2', '"b"'],
      ['S2', 'C'],
      ['S3', '1'],
      ['S3', 'C2'],
      ['S4', '3'],
      ['S4', 'C'],
      ['5', '[5,6]'],
      ['6', new Blob([new Uint8Array([7])])],
      ['7', '"inside"'],
    ])
    const decoded = await decodeArguments(rows)
    const [promise, stream, iterable, iterator, list, bytes] = valuesOf(decoded) as [
      Promise<{ nested: Promise<string> }>,
      ReadableStream<string>,
      AsyncIterable<number>,
      AsyncIterable<number>,
      Iterable<number>,
      Uint8Array,
    ]
    expect(await (await promise).nested).toBe('inside')
    expect([await all(stream), await all(iterable), await all(iterator)]).toEqual([
      ['a', 'b'],
      [1],
      [3],
    ])
    expect([[...list], [...bytes]]).toEqual([[5, 6], [7]])
  })

  test('never contain an action', async () => {
    for (const id of ['a#listed', 'b#unlisted', '__proto__#x', '']) {
      for (const root of ['["$h1"]', '[{"toString":"$h1"}]', '["$@3"]', '["$R4"]', '["$Q5"]']) {
        const rows = await received([
          ['0', root],
          ['1', `{"id":"${id}","bound":"$@2"}`],
          ['2', '[]'],
          ['3', '["$h1"]'],
          ['S4', '"$h1"'],
          ['S4', 'C'],
          ['5', '[["key","$h1"]]'],
        ])
        expect([root, await decodeArguments(rows)]).toEqual([root, malformed])
      }
    }
  })

  test.each<[string, ...[string, string][]]>([
    ['["$@9"]'],
    ['["$@1"]', ['1', '[']],
    ['["$@1"]', ['1', '"$@1"']],
    ['["$@1"]', ['1', '{"deep":["$@2"]}'], ['2', '"$Q3"'], ['3', '1']],
    ['[["$Q1"]]', ['1', '[["key","$@9"]]']],
    ['["$R1"]', ['S1', '{'], ['S1', 'C']],
    ['["$X1"]', ['S1', '"$@9"'], ['S1', 'C']],
    ['["$x1"]', ['S1', '"$B9"'], ['S1', 'C']],
    ['["$i1"]', ['1', '["$@9"]']],
    ['["$T1"]'],
    ['"$@1"', ['1', '{}']],
    ['{}'],
    ['['],
  ])('that would fail in the action are malformed: %s %s', async (root, ...rows) => {
    expect(await decodeArguments(await received([['0', root], ...rows]))).toEqual(malformed)
  })

  test.each(['["$@9"]', '["\\u0024@9"]', '["$\\u00409"]', '["$i1"]', '[["$@9"]]', '[{"a":"$@9"}]'])(
    'a text that refers to rows, which it does not have, is malformed: %s',
    async (text) => {
      expect(await decodeArguments(text)).toEqual(malformed)
    },
  )

  test.each<[string, ...[string, string][]]>([
    ['["$R1"]'],
    ['["$r1"]'],
    ['["$R1"]', ['S1', '"open"']],
    ['["$X1"]', ['S1', '1']],
    ['["$x1"]'],
    ['["$@1"]', ['1', '{"a":"$X2"}']],
  ])('that never settle are malformed after a time: %s %s', async (root, ...rows) => {
    const body = await received([['0', root], ...rows])
    vi.useFakeTimers()
    const decoding = decodeArguments(body)
    await vi.advanceTimersByTimeAsync(decodeWithinMs)
    expect(await decoding).toEqual(malformed)
  })

  test('cause no unhandled rejection', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const rows = await received([
      ['0', '["$r1","$@3","$@4"]'],
      ['S1', '"$o2"'],
      ['S1', 'C'],
      ['2', new Blob([])],
      ['3', '['],
      ['4', '"$@9"'],
    ])
    expect(await decodeArguments(rows)).toEqual(malformed)
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('a form', () => {
  const form = async (rows: readonly [string, string | Blob][]) => {
    const fields = await received(rows)
    const named = formActionOf(fields)
    return named && { id: named.id, fields, decoded: await decodeForm(named, fields) }
  }

  test('has its bound values first, then its fields', async () => {
    const read = await form([
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', '{"id":"a#b","bound":"$@1"}'],
      ['$ACTION_1:1', '["state","$K2"]'],
      ['$ACTION_1:_2_tag', 'x'],
      ['$ACTION_1:_2_tag', 'y'],
      ['$ACTION_KEY', 'key'],
      ['name', 'Ada'],
    ])
    expect(read?.id).toBe('a#b')
    const [state, bound, formFields] = valuesOf(read?.decoded) as [string, FormData, FormData]
    expect([state, bound.getAll('tag'), [...formFields]]).toEqual([
      'state',
      ['x', 'y'],
      [['name', 'Ada']],
    ])
    expect(read && (await formStateOf('result', read.fields))).toEqual(['result', 'key', 'a#b', 1])
  })

  test('without bound values has only its fields', async () => {
    const read = await form([
      ['$ACTION_ID_a#b', ''],
      ['name', 'Ada'],
    ])
    const [formFields] = valuesOf(read?.decoded) as [FormData]
    expect([read?.id, [...formFields]]).toEqual(['a#b', [['name', 'Ada']]])
    expect(read && (await formStateOf('result', read.fields))).toBeNull()
  })

  test.each<[string, [string, string][]]>([
    [
      'a reference',
      [
        ['$ACTION_1:1', '["$h2"]'],
        ['$ACTION_1:2', '{"id":"a#b","bound":"$@1"}'],
      ],
    ],
    [
      'a reference next to its own fields',
      [
        ['$ACTION_1:0', '{"id":"a#b","x":"$h2","bound":null}'],
        ['$ACTION_1:2', '{"id":"a#b","bound":null}'],
      ],
    ],
    ['a missing promise', [['$ACTION_1:1', '["$@9"]']]],
    ['a value that is not a list', [['$ACTION_1:1', '{"a":1}']]],
    ['no bound values', []],
  ])('with %s is malformed', async (_, rows) => {
    const reference: [string, string][] = rows.some(([name]) => name === '$ACTION_1:0')
      ? []
      : [['$ACTION_1:0', '{"id":"a#b","bound":"$@1"}']]
    const read = await form([['$ACTION_REF_1', ''], ...reference, ...rows])
    expect(read?.decoded).toEqual(malformed)
  })
})

function valuesOf(decoded: unknown[] | null | undefined): unknown[] {
  if (!decoded) throw new Error('Decoding failed.')
  return decoded
}

async function all<T>(items: AsyncIterable<T> | ReadableStream<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items as AsyncIterable<T>) collected.push(item)
  return collected
}
