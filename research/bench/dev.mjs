/**
 * Measures the dev server: the first page with and without a dependency cache, and the cost of edits.
 * The cost is the time until the changed HTML is served or is on a browser's screen, and the memory.
 *
 *   node dev.mjs [--edits 200] [--kind server --kind client --kind css --kind proxy --kind screen]
 *     [--starts 3]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { launchBrowser } from './lib/browser.mjs'
import { cliFile } from './lib/fixture.mjs'
import { cpuMicroseconds, residentBytes } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    edits: { type: 'string', default: '200' },
    starts: { type: 'string', default: '3' },
    kind: {
      type: 'string',
      multiple: true,
      default: ['server', 'client', 'css', 'proxy', 'screen'],
    },
  },
})
const edits = Number(options.edits)
const starts = Number(options.starts)
// After this number of edits, memory and times are stable.
const settledAfter = 20
// Number of edits at each end of the series for the medians.
const window = 10
// Vite's watcher treats changes within 50 ms as one.
const pauseMs = 100
const waitAtMostMs = 60_000

// Below the workspace, so that `react` and `waymark` resolve.
const dir = fileURLToPath(new URL('./dist/apps/dev/', import.meta.url))

/** The files, each with a number, and the place where the number is shown. */
const files = {
  server: { file: 'app/greeting.ts', text: (n) => `export const greeting = 'server-${n}'\n` },
  client: { file: 'app/counter.tsx', text: counter },
  css: {
    file: 'app/global.css',
    text: (n) => `h1 { --edit: css-${n}; }\n`,
    url: '/app/global.css',
  },
  proxy: { file: 'proxy.ts', text: proxy },
}

console.log(describeMachine())
const browser = await launchBrowser()
writeApp()
const first = []
for (let start = 0; start < starts; start++) first.push(await measureStart())
const row = (state) => ({
  state,
  firstPageMs: Math.round(median(first.map((each) => each[state].ms))),
  interactiveMs: Math.round(median(first.map((each) => each[state].interactiveMs))),
  cpuMs: Math.round(median(first.map((each) => each[state].cpuMs))),
  rssMb: Math.round(median(first.map((each) => each[state].rssMb))),
})
if (starts > 0) {
  const starting = [row('cold'), row('warm')]
  appendResults('dev-start', starting)
  printTable(
    [
      ['cache of dependencies', 'state'],
      ['first page ms', 'firstPageMs'],
      ['interactive ms', 'interactiveMs'],
      ['CPU ms', 'cpuMs'],
      ['RSS MB', 'rssMb'],
    ],
    starting,
  )
  console.log()
}

const rows = []
for (const kind of options.kind) {
  rows.push(...(kind === 'screen' ? await measureScreen() : [await measureEdits(kind)]))
}
await browser.close()
appendResults('dev-edits', rows)
printTable(
  [
    ['edited', 'kind'],
    ['edits', 'edits'],
    ['first ms', 'firstMs'],
    ['last ms', 'lastMs'],
    ['RSS MB after 20', 'settledMb'],
    ['at the end', 'endMb'],
    ['heap MB after 20', 'settledHeapMb'],
    ['at the end', 'endHeapMb'],
  ],
  rows,
)
console.log('to reach: memory at the end at most 1.2 of that after 20 edits; the last as fast')

async function measureStart() {
  rmSync(`${dir}node_modules`, { recursive: true, force: true })
  const cold = await firstPage()
  return { cold, warm: await firstPage() }
}

async function firstPage() {
  const startedAt = performance.now()
  const server = await start()
  try {
    const cpuMs = cpuMicroseconds(server.pid) / 1000
    const rssMb = residentBytes(server.pid) / 2 ** 20
    const page = await openCounter(server, 1)
    const interactiveMs = performance.now() - startedAt
    await page.close()
    return { ms: server.readyMs, interactiveMs, cpuMs, rssMb }
  } finally {
    // The cache is written once the browser's modules were requested.
    await sleep(500)
    await server.stop()
  }
}

/** Opens the page, and clicks until the counter has counted, which means that React runs. */
async function openCounter(server, count) {
  const page = await browser.newPage()
  await page.goto(server.url)
  await page.waitForFunction(
    (wanted) => {
      const button = document.querySelector('button')
      if (!button.textContent.endsWith(` ${wanted}`)) button.click()
      return button.textContent.endsWith(` ${wanted}`)
    },
    count,
    { polling: 20 },
  )
  return page
}

/**
 * Edits a server file and a client file by turns, and waits until a browser shows each change, with
 * the state of the client component.
 */
async function measureScreen() {
  writeApp()
  const server = await start()
  try {
    const page = await openCounter(server, 3)
    const state = await page.textContent('button')
    const count = state.slice(state.lastIndexOf(' '))
    const times = { server: [], client: [] }
    let settled
    for (let n = 1; n <= edits; n++) {
      const kind = n % 2 === 1 ? 'server' : 'client'
      times[kind].push(await editOnScreen(page, kind, n, count))
      if (n === settledAfter) settled = await memory(server)
    }
    const end = await memory(server)
    return Object.entries(times).map(([kind, each]) => ({
      kind: `${kind}, on the screen`,
      edits: each.length,
      firstMs: Math.round(median(each.slice(1, 1 + window))),
      lastMs: Math.round(median(each.slice(-window))),
      settledMb: settled?.rssMb,
      endMb: end.rssMb,
      settledHeapMb: settled?.heapMb,
      endHeapMb: end.heapMb,
    }))
  } finally {
    await server.stop()
  }
}

async function editOnScreen(page, kind, n, count) {
  const { file, text } = files[kind]
  await sleep(pauseMs)
  const displayed = page.waitForFunction(
    ([change, state]) => {
      const isDisplayed = document.querySelector('main').textContent.includes(change)
      return (
        isDisplayed && document.querySelector('button').textContent.endsWith(state) && Date.now()
      )
    },
    [`${kind}-${n}`, count],
    { polling: 'raf', timeout: waitAtMostMs },
  )
  // Handles a rejection if the write fails.
  displayed.catch(() => {})
  const writtenAtMs = Date.now()
  writeFileSync(dir + file, text(n))
  return (await (await displayed).jsonValue()) - writtenAtMs
}

async function measureEdits(kind) {
  writeApp()
  const server = await start()
  try {
    const times = []
    let settled
    for (let n = 1; n <= edits; n++) {
      times.push(await edit(server, kind, n))
      if (n === settledAfter) settled = await memory(server)
    }
    const end = await memory(server)
    return {
      kind,
      edits,
      firstMs: Math.round(median(times.slice(1, 1 + window))),
      lastMs: Math.round(median(times.slice(-window))),
      settledMb: settled?.rssMb,
      endMb: end.rssMb,
      settledHeapMb: settled?.heapMb,
      endHeapMb: end.heapMb,
    }
  } finally {
    await server.stop()
  }
}

/** Milliseconds from the write until the change is in the response. */
async function edit(server, kind, n) {
  const { file, text, url = '/' } = files[kind]
  await sleep(pauseMs)
  const startedAt = performance.now()
  writeFileSync(dir + file, text(n))
  const wanted = new RegExp(`${kind}-(?:<!-- -->)?${n}\\b`)
  const headers = url === '/' ? {} : { accept: 'text/css' }
  while (!wanted.test(await (await fetch(server.url + url, { headers })).text())) {
    if (performance.now() - startedAt > waitAtMostMs) {
      throw new Error(`Edit ${n} of ${file} is not in ${url}:\n${server.errors.text}`)
    }
    await sleep(2)
  }
  const tookMs = performance.now() - startedAt
  // A page is open, which requests its data again.
  if (url !== '/') await (await fetch(server.url)).text()
  return tookMs
}

async function memory(server) {
  // For sources that were just read, and responses that were just sent.
  await sleep(1000)
  const heapMb = Math.round((await server.heapBytes()) / 2 ** 20)
  return { heapMb, rssMb: Math.round(residentBytes(server.pid) / 2 ** 20) }
}

function start() {
  const args = (port) => [cliFile, 'dev', '--host', '127.0.0.1', '--port', String(port)]
  return startServer({ args, cwd: dir, cores: '0-1', probe: true, timeoutMs: waitAtMostMs })
}

function writeApp() {
  mkdirSync(`${dir}app`, { recursive: true })
  writeFileSync(`${dir}package.json`, '{ "private": true, "type": "module" }\n')
  writeFileSync(
    `${dir}app/layout.tsx`,
    `import './global.css'
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  )
  writeFileSync(
    `${dir}app/page.tsx`,
    `import { headers } from 'waymark/server'
import { Counter } from './counter.tsx'
import { greeting } from './greeting.ts'
export default async function Home() {
  return <main><h1>{greeting}</h1><p>{(await headers()).get('x-edit')}</p><Counter /></main>
}
`,
  )
  for (const { file, text } of Object.values(files)) writeFileSync(dir + file, text(0))
}

function counter(n) {
  return `'use client'
import { useState } from 'react'
export function Counter() {
  const [count, setCount] = useState(0)
  return <button type="button" onClick={() => setCount(count + 1)}>client-${n} {count}</button>
}
`
}

function proxy(n) {
  return `import { next } from 'waymark/server'
export default function proxy(request: Request) {
  const headers = new Headers(request.headers)
  headers.set('x-edit', 'proxy-${n}')
  return next({ requestHeaders: headers })
}
`
}
