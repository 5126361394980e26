/**
 * Measures how soon a navigation arrives after a fault is over: from the end of the fault until the
 * target is on the screen. It also records the requests in between, and if a notice was seen. It uses
 * a real browser and a production build, with a proxy in between or with a server that is killed.
 *
 *   node arrival.mjs [--seconds 0,0.5,1,2,5] [--only reset] [--at-once 2]
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { chromium as systemChromium } from '../../scripts/workspace/systemTools.mjs'
import { faults, loseRest, startFaultyProxy } from './lib/arrivalFaults.mjs'
import { buildApp, cliFile, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { freePort, startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    only: { type: 'string' },
    'at-once': { type: 'string' },
  },
})
const durations = (options.seconds ?? '0,0.5,1,2,5').split(',').map((text) => Number(text) * 1000)
const atOnce = Number(options['at-once'] ?? 2)
const cwd = fileURLToPath(new URL('./navigation-app/', import.meta.url))
/** After this time, a navigation counts as not arrived. */
const timeoutMs = 30_000
/** In these cases, a reload would lose typed text. */
const typedAtMs = 1000

console.log(describeMachine())
process.env.BENCH_WORKERS = '1'
await buildApp(cwd)
const server = await startServer({ args: startArgs, cwd, cores: '0-63' })
const executablePath = systemChromium.find()
if (executablePath === null) throw new Error(systemChromium.hint())
const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
try {
  const cases = Object.entries(scenes())
    .filter(([name]) => !options.only || name.includes(options.only))
    .flatMap(([name, scene]) =>
      (scene.onlyMs ?? durations).map((lastsMs) => ({ name, lastsMs, scene })),
    )
  const queue = [...cases]
  const rows = []
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      rows.push(await measure(next).catch((error) => ({ ...nameOf(next), error: String(error) })))
      process.stderr.write(`\r${rows.length} of ${cases.length} `)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  process.stderr.write('\n')
  report(rows)
} finally {
  await browser.close()
  await server.stop()
}

function nameOf({ name, lastsMs }) {
  return { fault: name, lastsMs }
}

/** The faults by name. Each starts the server or proxy that the browser uses. */
function scenes() {
  const viaProxy = (fault, isHit) => ({
    start: (lastsMs) =>
      startFaultyProxy({ target: () => server.url, fault, lastsMs, isHit: isHit ?? isPage }),
  })
  const all = Object.entries(faults).map(([name, fault]) => [name, viaProxy(fault)])
  return {
    ...Object.fromEntries(all),
    '502, of page data only': viaProxy(faults[502], isData),
    'the rest of a page lost': { ...viaProxy(loseRest, isData), selector: '#rest' },
    'server killed': { start: (lastsMs) => startMortal(lastsMs) },
    'server killed, behind a gateway': { start: startMortalBehindProxy },
    'all workers killed': { onlyMs: [0], start: () => startMortal(0, ['--workers', '2']) },
    'browser offline': { start: startOffline },
  }
}

function isData({ url }) {
  return url.startsWith('/_waymark/data/')
}

function isPage(req) {
  return isData(req) || req.url.startsWith('/arrival')
}

/** Starts a separate server that is killed at the click, and started again. */
async function startMortal(lastsMs, args = []) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let endedAtMs = null
  let child
  const run = async () => {
    child = spawn(process.execPath, [cliFile, 'start', '--port', String(port), ...args], {
      cwd,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: 'ignore',
    })
    await untilAnswered(url)
  }
  await run()
  return {
    url,
    endedAtMs: () => endedAtMs,
    async begin() {
      if (args.length > 0) killChildren(child.pid)
      else child.kill('SIGKILL')
      const again = async () => {
        await sleep(lastsMs)
        if (args.length > 0) await untilAnswered(url)
        else await run()
        endedAtMs = Date.now()
      }
      again().catch(() => {})
    },
    async stop() {
      child.kill('SIGTERM')
    },
  }
}

async function startMortalBehindProxy(lastsMs) {
  const mortal = await startMortal(lastsMs)
  const proxy = await startFaultyProxy({ target: () => mortal.url, fault: null, lastsMs: 0 })
  const stop = () => Promise.all([mortal.stop(), proxy.stop()])
  return { ...mortal, url: proxy.url, stop }
}

/** Takes the network away from the browser. */
async function startOffline(lastsMs) {
  let endedAtMs = null
  return {
    url: server.url,
    endedAtMs: () => endedAtMs,
    async begin(page) {
      await page.context().setOffline(true)
      const end = async () => {
        await sleep(Math.max(lastsMs, 50))
        await page.context().setOffline(false)
        endedAtMs = Date.now()
      }
      end().catch(() => {})
    },
    async stop() {},
  }
}

async function untilAnswered(url) {
  for (;;) {
    try {
      const response = await fetch(`${url}/_waymark/health/ready`, {
        headers: { connection: 'close' },
      })
      await response.arrayBuffer()
      if (response.ok) return
    } catch {
      // The server does not respond yet.
    }
    await sleep(5)
  }
}

function killChildren(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  for (const child of children.split(' ')) process.kill(Number(child), 'SIGKILL')
}

/** Measures one navigation, with a new fault that starts at the click. */
async function measure({ name, lastsMs, scene }) {
  const faulty = await scene.start(lastsMs)
  const context = await browser.newContext({ baseURL: faulty.url })
  try {
    const page = await context.newPage()
    let notice = false
    await page.exposeFunction('tellNotice', () => {
      notice = true
    })
    const arriving = new Promise((resolve) => void page.exposeFunction('tellArrival', resolve))
    await page.addInitScript(watch, scene.selector ?? '#target')
    await page.goto('/arrival')
    await page.waitForFunction(isInteractive)
    await page.waitForLoadState('networkidle')
    const isTyped = lastsMs === typedAtMs
    if (isTyped) await page.getByLabel('Draft').fill('typed')
    const requests = []
    let documents = 0
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.isNavigationRequest()) documents++
      if (pathname.includes('arrival/target')) requests.push(Date.now())
    })
    await faulty.begin?.(page)
    const clickedAtMs = Date.now()
    await page.evaluate(() => document.querySelector('a[href^="/arrival/target"]').click())
    const arrivedAtMs = await Promise.race([arriving, sleep(timeoutMs, null)])
    while (faulty.endedAtMs() === null) await sleep(5)
    const afterFaultMs = arrivedAtMs === null ? timeoutMs : arrivedAtMs - faulty.endedAtMs()
    return {
      ...nameOf({ name, lastsMs }),
      // If only the data has a fault, the document may arrive before the fault is over.
      afterMs: Math.max(0, afterFaultMs),
      requests: requests.filter((atMs) => atMs - clickedAtMs < 10_000).length,
      notice,
      documents,
      lost: isTyped && documents > 0,
    }
  } finally {
    await context.close()
    await faulty.stop()
  }
}

/** Reports when the target and a notice are on the screen. Runs in each document. */
function watch(selector) {
  const find = () =>
    selector === '#target'
      ? [...document.querySelectorAll('h1')].find((it) => it.textContent === 'The target')
      : document.querySelector(selector)
  let hasArrived = false
  let isNoticed = false
  new MutationObserver(() => {
    if (!hasArrived && find()?.checkVisibility()) {
      hasArrived = true
      requestAnimationFrame(() => window.tellArrival(Date.now()))
    }
    if (!isNoticed && document.querySelector('[data-waymark-notice]')) {
      isNoticed = true
      window.tellNotice()
    }
  }).observe(document, { childList: true, subtree: true, attributes: true })
}

/** True if React has hydrated the document. Runs in the page. */
function isInteractive() {
  const button = document.querySelector('button')
  return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
}

function report(rows) {
  for (const { fault, lastsMs, error } of rows.filter((row) => row.error)) {
    console.log(`${fault}, ${lastsMs} ms: ${error}`)
  }
  const measured = rows.filter((row) => !row.error)
  const names = [...new Set(measured.map(({ fault }) => fault))]
  const at = (fault, ms) => measured.find((row) => row.fault === fault && row.lastsMs === ms)
  const table = names.map((fault) => {
    const of = measured.filter((row) => row.fault === fault)
    const noticed = of.filter(({ notice }) => notice).map(({ lastsMs }) => lastsMs)
    return {
      fault,
      ...Object.fromEntries(durations.map((ms) => [ms, at(fault, ms)?.afterMs ?? ''])),
      requests: Math.max(...of.map(({ requests }) => requests)),
      notice: noticed.length > 0 ? `from ${Math.min(...noticed) / 1000} s` : 'none',
    }
  })
  const summary = durations.map((lastsMs) => {
    const of = measured.filter((row) => row.lastsMs === lastsMs)
    const times = of.map(({ afterMs }) => afterMs)
    return {
      what: `a fault of ${lastsMs / 1000} s`,
      faults: of.length,
      p50: Math.round(median(times)),
      worst: Math.max(...times),
      requests: Math.max(...of.map(({ requests }) => requests)),
      notices: of.filter(({ notice }) => notice).length,
      documents: of.filter(({ documents }) => documents > 0).length,
      lost: of.filter(({ lost }) => lost).length,
    }
  })
  appendResults('arrival', summary)
  const columns = durations.map((ms) => [`${ms / 1000} s`, String(ms)])
  printTable(
    [['fault', 'fault'], ...columns, ['requests', 'requests'], ['notice', 'notice']],
    table,
  )
  console.log('')
  printTable(
    Object.keys(summary[0]).map((key) => [key, key]),
    summary,
  )
}
