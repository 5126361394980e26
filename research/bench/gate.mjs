/**
 * Measures the cost of the status gate for a page that decides at once. The same layout and page are
 * rendered to Flight with and without the gate, alternately in one process.
 *
 *   NODE_ENV=production node --conditions react-server gate.mjs [--renders 4000] [--rounds 9]
 */
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createElement } from 'react'
import { median, printTable } from './lib/report.mjs'

const { values: options } = parseArgs({
  options: {
    renders: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '9' },
  },
})
const renders = Number(options.renders)
const rounds = Number(options.rounds)

// React chooses its build when it is imported.
if (process.env.NODE_ENV !== 'production') throw new Error('NODE_ENV is not production')
const require = createRequire(import.meta.url)
const { renderToPipeableStream } = require('@vitejs/plugin-rsc/vendor/react-server-dom/server.node')
const dist = new URL('../../packages/waymark/dist/rsc/page/', import.meta.url)
const { createStatusGate } = await import(new URL('statusGate.js', dist).href)
const { createOutputBarrier } = await import(new URL('statusGate.js', dist).href)

const items = Array.from({ length: 20 }, (_, index) => index)

async function Page() {
  await null
  const list = items.map((item) => createElement('li', { key: item }, `Item ${item}`))
  return createElement('main', null, createElement('h1', null, 'A page'), list)
}

function Layout() {
  return createElement('section', null, 'Around the page')
}

function flight(model) {
  return new Promise((resolve, reject) => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
    sink.on('finish', resolve)
    renderToPipeableStream(model, {}, { onError: reject }).pipe(sink)
  })
}

const without = () => flight({ layout: createElement(Layout), page: createElement(Page) })

async function withGate() {
  const gate = createStatusGate(() => null)
  const around = createOutputBarrier(null)
  const model = {
    layout: gate.decide(null, Layout, { outer: null, own: around }),
    page: gate.decide(null, Page, { outer: around, own: null }),
  }
  const rendered = flight(model)
  // As in the framework: everything that does not wait has ended after this.
  await new Promise(setImmediate)
  while (!gate.isSettled()) await gate.whenSettled()
  gate.close()
  await rendered
}

async function microseconds(render) {
  const before = process.cpuUsage()
  for (let count = 0; count < renders; count++) await render()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / renders
}

const cases = { without, 'with gate': withGate }
const samples = { without: [], 'with gate': [] }
for (const render of Object.values(cases)) await microseconds(render)
for (let round = 0; round < rounds; round++) {
  for (const [name, render] of Object.entries(cases)) samples[name].push(await microseconds(render))
}
const base = median(samples.without)
const rows = Object.entries(samples).map(([name, values]) => ({
  name,
  cpu: median(values).toFixed(1),
  ratio: (median(values) / base).toFixed(2),
}))
printTable(
  [
    ['Flight', 'name'],
    ['CPU µs', 'cpu'],
    ['ratio', 'ratio'],
  ],
  rows,
)
