// @ts-expect-error plugin-rsc's copy of React has no types
import { encodeReply } from '@vitejs/plugin-rsc/vendor/react-server-dom/client.node'
import { describe, expect, test, vi } from 'vitest'
import { keyOfBody, withoutBlobDates } from './argumentKey.ts'

/** Encodes arguments in the same way as calls to cached functions. */
const encode = async (args: readonly unknown[]) => withoutBlobDates(await encodeReply([...args]))
const keyOf = async (...args: readonly unknown[]) => keyOfBody(await encode(args))

const file = (content: string, name: string, options: FilePropertyBag = {}) =>
  new File([content], name, { lastModified: 1, ...options })
const form = (...entries: readonly (readonly [string, string | File])[]) => {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

describe('the key of a cached call', () => {
  // Each row contains values that a function can tell apart, so their keys must differ.
  test.each<[string, readonly unknown[]]>([
    [
      'a file',
      [
        file('harmless', 'page.txt'),
        file('harmless', 'page.php'),
        file('harmless', 'page.txt', { lastModified: 2 }),
        file('harmless', 'page.txt', { type: 'text/html' }),
        file('harmless2', 'page.txt'),
      ],
    ],
    [
      'a type that looks like a length',
      [
        file('10 MZ program', 'a.txt', { type: 'x' }),
        file('MZ program', 'a.txt', { type: 'x 13' }),
        file('MZ program', 'a.txt', { type: 'x' }),
      ],
    ],
    ['a blob', [new Blob(['a']), new Blob(['b']), new Blob(['a'], { type: 'text/plain' })]],
    [
      'a form',
      [
        form(['a', '1']),
        form(['a', '1'], ['a', '1']),
        form(['a', '1'], ['b', '2']),
        form(['b', '2'], ['a', '1']),
        form(['a', '11']),
        form(['a1', '1']),
        form(['a', file('1', 'one')]),
        form(['a', file('1', 'two')]),
      ],
    ],
    ['a date', [new Date(1), new Date(2), new Date(Number.NaN)]],
    ['a map', [new Map([['a', 1]]), new Map([['a', 2]]), new Map([['b', 1]]), new Map()]],
    ['a set', [new Set(['a']), new Set(['b']), new Set(['a', 'b']), new Set()]],
    [
      'the order of a map',
      [
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
        new Map([
          ['b', 2],
          ['a', 1],
        ]),
      ],
    ],
    [
      'bytes',
      [
        new Uint8Array([1, 2]),
        new Uint8Array([1, 3]),
        new Int8Array([1, 2]),
        new Uint8Array([1, 2, 0]),
        new Uint16Array([513]),
        new Uint8Array([1, 2]).buffer,
      ],
    ],
    [
      'numbers',
      [{ n: 0 }, { n: -0 }, { n: Number.NaN }, { n: Infinity }, { n: 1n }, { n: '1' }, { n: 1 }],
    ],
    ['absent values', [{ a: undefined }, { a: null }, {}, { a: false }, { a: '' }, { a: [] }]],
    ['texts that look like rows', [{ a: '$1' }, { a: '$$1' }, { a: '$D1' }, { a: '$undefined' }]],
    ['lists', [{ a: ['x', 'y'] }, { a: ['x,y'] }, { a: [['x'], 'y'] }]],
  ])('differs for different values: %s', async (_, values) => {
    const keys = await Promise.all(values.map((value) => keyOf(value)))
    expect(new Set(keys).size).toBe(values.length)
  })

  test('distinguishes the positions of arguments', async () => {
    const one = file('a', 'one')
    const two = file('b', 'two')
    const keys = await Promise.all([
      keyOf(one, two),
      keyOf(two, one),
      keyOf([one, two]),
      keyOf(one),
    ])
    expect(new Set(keys).size).toBe(4)
  })

  test('is the same for equal values at any time', async () => {
    vi.useFakeTimers()
    const values = () => [new Blob(['a'], { type: 'text/plain' }), form(['a', file('1', 'one')])]
    const first = await keyOf(...values())
    vi.advanceTimersByTime(5_000)
    expect(await keyOf(...values())).toBe(first)
    vi.useRealTimers()
  })

  test('differs for generated values that have most parts in common', async () => {
    const parts = ['', 'a', 'a ', ' a', '1', '1 a', '"', '\\', '\n']
    const files = parts.flatMap((name) =>
      parts.flatMap((content) => [0, 1].map((date) => file(content, name, { lastModified: date }))),
    )
    const keys = await Promise.all(files.map((each) => keyOf(each)))
    expect(new Set(keys).size).toBe(files.length)
  })
})
