import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { adaptText, selectAdaptations } from '../adaptations.ts'
import { findReact } from '../adaptedReact.ts'
import * as renderLifetime from '../rendering/renderLifetime.ts'
import * as rowWriter from './rowWriter.ts'

const require = createRequire(import.meta.url)
const serverFile = 'react-server-dom-webpack-server.node.production.js'
const flightFolder = String(findReact(import.meta.dirname)['react-server-dom'])
const adaptedFiles = selectAdaptations({ rows: true, lifetime: true, html: false, encoder: false })
  .flatMap(({ files }) => files)
  .filter(({ file }) => file.endsWith(serverFile))
const read = (folder: string, file: string) => readFileSync(path.join(folder, 'cjs', file), 'utf8')
const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`))

// biome-ignore lint/suspicious/noExplicitAny: exports of React's files
type Exports = any

/** Evaluates one of React's files in the `react-server` environment. */
function evaluate(code: string, modules: Record<string, Exports> = {}): Exports {
  const exports = {}
  const requireOf = (id: string) => {
    const moduleName = Object.keys(modules).find(
      (name) => id === name || id.endsWith(`/${name}.js`),
    )
    return moduleName ? modules[moduleName] : require(id)
  }
  // Define the bundler's function with which React's decoder loads client components.
  const load = (id: string) => ({ Client: `loaded ${id}` })
  new Function('exports', 'require', '__webpack_require__', code)(exports, requireOf, load)
  return exports
}

const reactCode = read(folderOf('react'), 'react.react-server.production.js')
const domCode = read(folderOf('react-dom'), 'react-dom.react-server.production.js')
const installed = read(flightFolder, serverFile)
const react = evaluate(reactCode)
// Give React's original code the same row length as in builds, because this test isn't about the ends of
// rows.
const rowLimit = /3200 < serializedSize/g
const original = evaluateServer(installed.replace(rowLimit, '500000 < serializedSize'), react)
// Evaluate React a second time, because each copy of React accepts only one renderer.
const adaptedCode = adaptedFiles.reduce((code, file) => adaptText(code, file) ?? '', installed)
const adapted = evaluateServer(adaptedCode, evaluate(reactCode))

function evaluateServer(code: string, react: Exports): Exports {
  const dom = evaluate(domCode, { react })
  return evaluate(code, { react, 'react-dom': dom, renderLifetime, rowWriter })
}

const decoder = evaluate(read(flightFolder, 'react-server-dom-webpack-client.node.production.js'))
const h = react.createElement

function render({ renderToPipeableStream }: Exports, model: unknown): Promise<string> {
  const manifest = { 'own#Client': { id: 'own', chunks: [], name: 'Client' } }
  const onError = (error: unknown) => String(error)
  const stream = new PassThrough()
  renderToPipeableStream(model, manifest, { onError }).pipe(stream)
  return text(stream)
}

/** Decodes a complete payload with React's decoder. */
async function decode(payload: string): Promise<unknown> {
  const moduleMap = { own: { Client: { id: 'own', chunks: [], name: 'Client' } } }
  const stream = new PassThrough()
  const model = decoder.createFromNodeStream(stream, { moduleMap, moduleLoading: null })
  stream.end(payload)
  return settled(() => model)
}

async function settle(value: Exports): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.then === 'function') return { promise: await settled(() => value) }
  if (value.$$typeof === Symbol.for('react.lazy')) return settled(() => value._init(value._payload))
  if (value.$$typeof) {
    return { type: await settle(value.type), key: value.key, props: await settle(value.props) }
  }
  if (value instanceof Date) return value
  if (value instanceof Map || value instanceof Set) return settle([...value])
  if (Array.isArray(value)) return Promise.all(value.map(settle))
  const names = Object.keys(value)
  const values = await Promise.all(names.map((name) => settle(value[name])))
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

async function settled(read: () => unknown): Promise<unknown> {
  for (;;) {
    try {
      return await settle(await read())
    } catch (thrown) {
      if (typeof (thrown as Exports)?.then !== 'function')
        return { thrown: (thrown as Error).message }
      await (thrown as Promise<unknown>).then(null, () => {})
    }
  }
}

/** Creates random trees. @param shares true if an object may occur several times in a tree */
function treesOf(seed: number, shares: boolean) {
  let state = seed * 2654435761
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const words = ['', 'a', '$b', '$', 'Z', '2026Z', 'ünï', '"\n\\', 'x'.repeat(199), 'y'.repeat(201)]
  // Include characters that JSON escapes, characters of several bytes, and halves of surrogate pairs.
  const text = (): string =>
    Array.from({ length: below(3) ** 5 }, () =>
      pick([
        'a',
        '$',
        '"',
        '\\',
        '\x00',
        '\x7f',
        '\u2028',
        'é',
        '漢',
        '🙂',
        '\ud83d',
        '\ude42',
        'long ',
      ]),
    ).join('')
  const scalar = () =>
    pick([
      ...words,
      text(),
      // Include strings of more than 1,023 characters, which React writes as separate rows.
      'z'.repeat(shares ? 1100 : 1023),
      '漢'.repeat(99 + below(3)),
      Symbol.for('s'),
      0,
      -0,
      1.5,
      1e21,
      Number.NaN,
      -Infinity,
      7n,
      true,
      false,
      null,
      undefined,
    ])
  const pool: unknown[] = []
  const shared = <T>(value: T): T => {
    if (shares && pool.length > 0 && below(4) === 0) return pick(pool) as T
    pool.push(value)
    return value
  }
  const client = adapted.registerClientReference(() => {}, 'own', 'Client')
  const data = (depth: number): unknown =>
    pick([
      () => shared({ a: scalar(), b: depth > 0 ? data(depth - 1) : 1 }),
      () => shared([scalar(), depth > 0 ? data(depth - 1) : 2]),
      () => ({ [text()]: scalar(), 7: 1, 'a:b': shared([1]), ['__proto__']: 1, toJSON: 2 }),
      () => ({ toJSON: () => pick([scalar(), { b: scalar() }, h('p', null, scalar())]) }),
      () => ({ ['ü'.repeat(98 + below(5))]: 1, ['n'.repeat(98 + below(5))]: scalar() }),
      // Include arrays with holes, and values that React turns into arrays.
      () => Object.assign([scalar()], { 3: scalar() }),
      () => ({
        *[Symbol.iterator]() {
          yield* [scalar(), h('b')]
        },
      }),
      () => new Error('Not sent'),
      () => shared(element(1)),
      // Leave out the failing object if objects are shared, because everything that refers to a part of
      // it fails, too.
      () => (shares ? 1 : Object.create({ inherited: 1 })),
      () => new Date(below(1e9)),
      () => new Map([[scalar(), scalar()]]),
      () => new Set([scalar()]),
      () => Promise.resolve(scalar()),
      scalar,
    ])()
  const propsOf = (): Record<string, unknown> => ({
    ...(below(3) === 0 ? {} : { className: scalar() }),
    ...(below(5) === 0 ? { style: shared({ color: 'red', margin: below(9) }) } : {}),
    ...(below(9) === 0
      ? { [pick(['aria-label', 'xlink:href', 'then', 'toJSON', '"'])]: text() }
      : {}),
    ...(below(6) === 0 ? { key: pick(['k', '1', 'a,b', '', '$1', '"漢']) } : {}),
  })
  const node = (depth: number): unknown => (depth === 0 ? scalar() : shared(element(depth - 1)))
  const nodes = (depth: number) => Array.from({ length: below(4) }, () => node(depth))
  const element = (depth: number): unknown =>
    pick([
      () =>
        h(
          pick(['p', 'span', 'svg', 'picture', 'noscript', 'img', 'x-ü', '$1']),
          propsOf(),
          ...nodes(depth),
        ),
      () => h('li', propsOf(), node(depth)),
      () => h('ul', propsOf(), shared(nodes(depth))),
      () => h('b', { dangerouslySetInnerHTML: shared({ __html: pick(words) }) }),
      () => h(react.Fragment, below(2) ? { key: 'f' } : null, ...nodes(depth)),
      () => {
        const child = node(depth)
        // React reads this prop twice in a picture.
        if (!shares) return child
        return { $$typeof: Symbol.for('react.lazy'), _payload: null, _init: () => child }
      },
      () => h(react.Suspense, { fallback: node(depth) }, node(depth)),
      () => h(client, { ...propsOf(), data: data(2) }, ...nodes(depth)),
      () => component(propsOf(), shared(node(depth))),
    ])()
  const component = (props: object, child: unknown) =>
    pick([
      () => h(({ children }: Exports) => children, props, child),
      () => h(async () => child, props),
      () => h(() => (shares ? [child, child] : [child]), props),
      () => h(() => h('i', null, child), props),
      () =>
        h(
          react.memo(() => child),
          props,
        ),
      () => h(() => Promise.reject(new Error('Broken')), props),
    ])()
  return () => ({ tree: Array.from({ length: 5 }, () => node(4)), data: data(3) })
}

// Set `TREES=10000` for the long run.
const seeds = Number(process.env.TREES ?? 500)

test(`${seeds} trees without shared objects are written as React writes them`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const ours = await render(adapted, treesOf(seed, false)())
    expect(ours, `seed ${seed}`).toBe(await render(original, treesOf(seed, false)()))
  }
})

test(`${seeds} trees with shared objects are read as those that React writes`, async () => {
  let others = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const ours = await render(adapted, treesOf(seed, true)())
    const theirs = await render(original, treesOf(seed, true)())
    if (ours === theirs) continue
    others++
    const expected = await decode(theirs)
    // Skip payloads in which React can't read its own references to a failed part. The row writer writes
    // such values in full.
    if (inspect(expected, { depth: null }).includes('Invalid reference.')) continue
    expect(await decode(ours), `seed ${seed}`).toEqual(expected)
  }
  expect(others).toBeGreaterThan(seeds / 10)
})

test('an element that is long or has content is written once', async () => {
  const long = h('p', null, 'x'.repeat(201))
  const holder = h('p', null, h('b', null, 'in it'))
  const payload = await render(adapted, h('div', null, long, long, holder, holder))
  expect(payload.match(/x{201}|in it/g)).toHaveLength(2)
  expect(await decode(payload)).toMatchObject({ props: { children: { 1: { type: 'p' } } } })
})

test('a table of 1,000 rows is one row of the payload', async () => {
  const rows = Array.from({ length: 1000 }, (_, id) =>
    h('tr', { key: id }, h('td', null, `number ${id}`, 'x'.repeat(200))),
  )
  const payload = await render(adapted, h('table', null, h('tbody', null, rows)))
  expect(payload.length).toBeGreaterThan(200_000)
  expect(payload.split('\n')).toHaveLength(2)
})

test('the elements after 500,000 characters get separate rows', async () => {
  const items = Array.from({ length: 1000 }, (_, id) => h('li', { key: id }, 'x'.repeat(1000)))
  const payload = await render(adapted, h('ul', null, items))
  const lines = payload.trim().split('\n')
  expect(lines.length).toBeGreaterThan(100)
  for (const line of lines) expect(line.length).toBeLessThan(600_000)
})

test('a text gets a separate row from 32,000 characters on', async () => {
  const texts = ['a'.repeat(31_999), 'b'.repeat(32_000)]
  const payload = await render(adapted, texts)
  expect(payload).toContain(`0:["${texts[0]}","$1"]`)
  expect(payload).toContain(`1:T7d00,${texts[1]}`)
  expect(await decode(payload)).toEqual(texts)
})

test('a short element is written wherever it occurs', async () => {
  const short = h('hr', { className: 'thin' })
  expect((await render(adapted, h('i', null, short, short))).match(/thin/g)).toHaveLength(2)
})

test.each(['{"a":}', '[]'])(
  'data that is nested too deeply in %s is refused with a message',
  async (pair) => {
    const nested = pair.slice(0, -1).repeat(3500) + 1 + pair.slice(-1).repeat(3500)
    expect(await render(adapted, JSON.parse(nested))).toContain('more than 1000 levels deep')
  },
)

test('elements can be nested to any depth', async () => {
  let deep: unknown = 'the innermost'
  for (let level = 0; level < 5000; level++) deep = h('blockquote', null, '\n', deep)
  const payload = await render(adapted, deep)
  expect([payload.includes('the innermost'), payload.includes(':E')]).toEqual([true, false])
})

const refuse = () => {
  throw new Error('Only an element is asked for it')
}

test.each([
  [
    'objects that are asked for a type or key',
    [Object.defineProperty({ a: 1 }, 'type', { get: refuse })],
  ],
  [
    'a row that is filled to its limit',
    Array.from({ length: 1200 }, () => h('i', null, 'x'.repeat(500))),
  ],
  ['props that are not a plain object', { ...h('p'), props: new (class Settings {})() }],
  ['an array like an element', h(() => [Symbol.for('react.transitional.element'), 'p'])],
])('%s are written as React writes them', async (_, odd) => {
  const payload = await render(adapted, h('div', null, odd, 'end'))
  expect(payload).toBe(await render(original, h('div', null, odd, 'end')))
})
