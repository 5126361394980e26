import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as ReactModule from 'react'
import { expect, test } from 'vitest'
import { reactServerDom } from '../../vite/config/ownFiles.ts'
import { applyFilePatches, reactPatches } from '../../vite/inside/textPatches.ts'
import * as renderLifetime from '../rsc/renderLifetime.ts'
import * as rowWriter from '../rsc/rowWriter.ts'
import { referToHtml } from './referToHtml.ts'

// Payloads of random trees, written by React as a build has it and by React as it is: both must
// come to the same HTML, whatever is left out of the first.
const trees = 10_000
const treesOfPayload = 250

type React = typeof ReactModule
type Sink = {
  write(piece: string | Uint8Array): boolean
  end(): void
  on(): void
  destroy(error: unknown): void
}
type Piping = { pipe(sink: Sink): void }
type Flight = {
  renderToPipeableStream(model: unknown, map: unknown, options: object): Piping
  registerClientReference(proxy: unknown, file: string, name: string): unknown
}
type Fizz = { renderToPipeableStream(node: unknown, options: object): Piping }
type Decoder = { createFromNodeStream(stream: unknown, manifest: unknown): Promise<unknown> }

const require = createRequire(import.meta.url)
const folderOf = (name: string) => path.join(path.dirname(require.resolve(name)), 'cjs')
const vendor = folderOf(`${reactServerDom}/server.node`)

const ownModules: Readonly<Record<string, unknown>> = { renderLifetime, rowWriter }

/** Evaluates a file of React with modules of its own, as a build has changed it. */
function load<Module>(file: string, modules: Record<string, unknown>, isPatched = false): Module {
  const code = readFileSync(file, 'utf8')
  const patches = reactPatches
    .flatMap(({ files }) => files)
    .filter((each) => isPatched && file.endsWith(each.file))
  const exports = {}
  const requireOwn = (id: string) => {
    const own = Object.keys(ownModules).find((name) => id.includes(name))
    return modules[id] ?? (own ? ownModules[own] : require(id))
  }
  const evaluate = new Function(
    'exports',
    'require',
    '__webpack_require__',
    applyFilePatches(code, patches) ?? '',
  )
  evaluate(exports, requireOwn, () => ({ Box }))
  return exports as Module
}

/** React for server components; each copy lets one renderer use it. */
function loadFlight(isPatched: boolean) {
  const react = load<React>(`${folderOf('react')}/react.react-server.production.js`, {})
  const domFile = `${folderOf('react-dom')}/react-dom.react-server.production.js`
  const modules = { react, 'react-dom': load(domFile, { react }) }
  const file = `${vendor}/react-server-dom-webpack-server.node.production.js`
  const flight = load<Flight>(file, modules, isPatched)
  return { react, flight, Client: flight.registerClientReference(() => {}, 'box', 'Box') }
}

const react = load<React>(`${folderOf('react')}/react.production.js`, {})
const dom = load(`${folderOf('react-dom')}/react-dom.production.js`, { react })
const modules = { react, 'react-dom': dom }
const fizz = load<Fizz>(
  `${folderOf('react-dom')}/react-dom-server.bun.production.js`,
  modules,
  true,
)
const decoder = load<Decoder>(
  `${vendor}/react-server-dom-webpack-client.node.production.js`,
  modules,
)

/** A client component, which looks at what it was given. */
function Box({ children, data }: { children?: ReactModule.ReactNode; data?: unknown }) {
  const id = react.useId()
  return react.createElement('b', { id, title: describe(data) }, children)
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if ('_init' in value) {
    const { _init, _payload } = value as { _init: (payload: unknown) => unknown; _payload: unknown }
    try {
      return describe(_init(_payload))
    } catch {
      return 'what failed'
    }
  }
  if (react.isValidElement(value)) return `<${String(value.type)} ${describe(value.props)}>`
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${describe(each)}`)
    .join()
}

function collectText(start: (sink: Sink) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoded = new TextDecoder()
    let text = ''
    start({
      write(piece) {
        text += typeof piece === 'string' ? piece : decoded.decode(piece, { stream: true })
        return true
      },
      end: () => resolve(text),
      on() {},
      destroy: reject,
    })
  })
}

const box = { id: 'box', chunks: [], name: 'Box' }

function writeFlight({ flight }: ReturnType<typeof loadFlight>, model: unknown): Promise<string> {
  const options = { onError: () => 'digest' }
  return collectText((sink) =>
    flight.renderToPipeableStream(model, { 'box#Box': box, box }, options).pipe(sink),
  )
}

async function writeHtml(flight: string): Promise<string> {
  const stream = {
    on(event: string, listen: (text?: string) => void) {
      if (event === 'data') listen(flight)
      return stream
    },
  }
  const moduleMap = { box: { '*': box, Box: box } }
  const payload = decoder.createFromNodeStream(stream, { moduleMap })
  const { segments } = (await payload) as { segments: Record<string, ReactModule.ReactNode> }
  return collectText((sink) => {
    const rendering = fizz.renderToPipeableStream(
      react.createElement('html', null, react.createElement('body', null, segments['/#page'])),
      {
        onAllReady: () => rendering.pipe(sink),
        onShellError: sink.destroy,
        onError: () => 'digest',
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      },
    )
  })
}

/** Of 0 to 1, always the same. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const attacks =
  `<script>alert(1)</script>|"><img src=x onerror=alert(1)>|' onmouseover='alert(1)|--><script>alert(1)</script><!--|<!--$-->|</ul></template>|&lt;b&gt; & &amp;|javascript:alert(1)| java\nscript:alert(1)|JaVaScRiPt:alert(1)|data:text/html,<script>1</script>|$1|$L0|$0:segments|$undefined|😀 é`.split(
    '|',
  )
const plainTexts = ['', 'a', 'a word', 'a text of some length, to be worth it. '.repeat(4)]
const tameTags = ['div', 'span', 'section', 'b', 'em', 'br', 'button']
const htmls = ['<b>a</b> &lt;', '<span class="b">a word</span> of "it"', '<i>a', '\na', '$1', '&']
const tameNames = ['className', 'title', 'href', 'data-x', 'aria-label', 'lang']
const tags =
  'div p span ul li ol a b em section article table tbody tr td h2 pre code svg path g math custom-tag button label details time'.split(
    ' ',
  )
const rareTags =
  'input textarea select option img br hr wbr style script title meta link iframe noscript template form'.split(
    ' ',
  )
const emptyTags = new Set('input textarea img br hr wbr meta link'.split(' '))
const names =
  'className id title href src alt style hidden translate tabIndex colSpan value type lang dir data-x aria-label d viewBox fillRule strokeWidth srcSet dateTime hrefLang cite action formAction onClick onclick data-<b> x" y=1> xlinkHref contentEditable draggable spellCheck checked download suppressHydrationWarning rel name content property itemProp'.split(
    ' ',
  )

/** Builds trees for a copy of React; the same from the same seed. */
function createTrees({ react, Client }: ReturnType<typeof loadFlight>, seed: number) {
  const random = createRandom(seed)
  const h = react.createElement as (...args: unknown[]) => ReactModule.ReactElement
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  // One of them leaves a payload as it is.
  // Trees of components, and of elements of all kinds, have little that is left out.
  let isTame = false
  const hasShared = seed % 2 === 1
  const unsafe = seed % 8 === 0 ? [...attacks, '$~0', '"$~0"'] : attacks
  const changed = ['\0 a \r b \n', '\ud800', ...attacks]
  const text = () => pick(random() < 0.7 ? plainTexts : isTame ? unsafe : changed)
  const shared: unknown[] = []

  function value(name: string): unknown {
    if (name === 'style') return { color: text(), marginTop: 4, '--x': text(), zIndex: null }
    if (isTame) return text()
    return pick([text, text, text, text, () => true, () => false, () => 0, () => null])()
  }
  function props(): Record<string, unknown> {
    const own: Record<string, unknown> = random() < 0.3 ? { key: text() } : {}
    for (let left = Math.floor(random() * 3); left > 0; left--) {
      const name = pick(isTame ? tameNames : names)
      own[name] = value(name)
    }
    return own
  }
  function host(depth: number): unknown {
    const tag = pick(isTame ? tameTags : random() < 0.07 ? rareTags : tags)
    if (emptyTags.has(tag)) return h(tag, props())
    if (rareTags.includes(tag)) return h(tag, props(), text())
    if (random() < 0.02) {
      return h(tag, { dangerouslySetInnerHTML: { __html: random() < 0.5 ? pick(htmls) : text() } })
    }
    if (random() < 0.02) return head()
    const children = Array.from({ length: Math.floor(random() * 4) }, () => node(depth - 1))
    const element = h(tag, props(), ...children)
    if (hasShared && random() < 0.05) shared.push(element)
    return element
  }
  /** What React moves to the head, and what may be like it. */
  function head(): unknown {
    const href = pick(['/a.css', ''])
    const tag = pick(['link', 'style', 'meta', 'title', 'script'])
    const own = { href, src: href, rel: 'stylesheet', precedence: pick(['', 'a', undefined]) }
    const text = tag === 'style' || tag === 'title' ? ['a'] : []
    return h(
      tag,
      { ...own, async: pick([true, undefined]), itemProp: pick(['a', undefined]) },
      ...text,
    )
  }
  function node(depth: number): unknown {
    const kind = random()
    if (depth <= 0 || kind < 0.3) return pick([text, text, text, () => 7, () => null, () => true])()
    if (kind < 0.8 || (isTame && kind > 0.92)) return host(depth)
    if (kind < 0.84) return [node(depth - 1), node(depth - 1)]
    if (kind < 0.87) return h(react.Fragment, { key: text() }, node(depth - 1), node(depth - 1))
    if (kind < 0.9) return h(Plain, null, node(depth - 1))
    if (kind < 0.92) return h(Late, null, node(depth - 1))
    if (kind < 0.94) return h(react.Suspense, { fallback: text() }, node(depth - 1))
    if (kind < 0.95) return h(react.Suspense, { fallback: text() }, h(Fails))
    if (kind < 0.97) return h(Client, { data: { [text()]: text() } }, node(depth - 1))
    if (kind < 0.985) return shared.length > 0 ? pick(shared) : null
    // It sees the elements of somebody else.
    return h(Client, { data: shared.slice(-2).map((each) => ({ each })) })
  }
  const all: unknown[] = []
  for (let tree = 0; tree < treesOfPayload; tree++) {
    isTame = random() < 0.6
    all.push(h('section', { key: tree }, node(4), node(4)))
  }
  const page = h('main', null, ...(random() < 0.5 ? [h(Client, null)] : []), all)
  const slots = { children: { key: '/#page' } }
  return { tree: { key: '/', slots }, segments: { '/': null, '/#page': page } }
}

function Plain({ children }: { children?: unknown }): unknown {
  return children
}

async function Late({ children }: { children?: unknown }): Promise<unknown> {
  await null
  return children
}

function Fails(): never {
  throw new Error('of a component')
}

test('10,000 random trees come to the HTML that React writes by itself', async () => {
  const [own, built] = [loadFlight(false), loadFlight(true)]
  let written = 0
  for (let seed = 0; seed < trees / treesOfPayload; seed++) {
    const expected = await writeHtml(await writeFlight(own, createTrees(own, seed)))
    const flight = await writeFlight(built, createTrees(built, seed))
    const reduced = referToHtml(flight)
    written += reduced
      ? reduced.decodable.split('dangerouslySetInnerHTML":{"__html":"<!--').length - 1
      : 0
    const html = await writeHtml(reduced?.decodable ?? flight)
    const completed = reduced ? reduced.complete(html) : html
    if (completed !== expected) {
      let at = 0
      while (completed[at] === expected[at]) at++
      expect([seed, completed.slice(at - 300, at + 200)]).toEqual([
        seed,
        expected.slice(at - 300, at + 200),
      ])
    }
  }
  expect(written).toBeGreaterThan(500)
}, 60_000)
