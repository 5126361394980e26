/**
 * Measures dev servers of the compared frameworks: the first page without and with caches, edits and
 * memory.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { countedOnce, inPage } from '../lib/browser.mjs'
import { cpuMicroseconds, residentBytes } from '../lib/process.mjs'
import { median } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'

const waitAtMostMs = 60_000
const displayTimeoutMs = 10_000
// Vite's watcher treats changes within 50 ms as one.
const pauseMs = 200
const edited = [
  { what: 'server file, on the screen', file: 'shared/greeting.ts', change: editGreeting },
  { what: 'client file, on the screen', change: editCounter },
]

/** Rounds are interleaved. In each round, a server starts without its caches, and again with them. */
export async function measureDev(frameworks, browser, rounds) {
  const results = frameworks.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, framework] of frameworks.entries()) {
      results[index].push(...(await measureRound(framework, browser, rounds)))
    }
  }
  const whats = [...new Set(results[0].map(({ what }) => what))]
  return whats.flatMap((what) =>
    frameworks.map(({ name }, index) => {
      const rows = results[index].filter((row) => row.what === what)
      const middle = (key) => {
        const values = rows.map((row) => row[key]).filter((value) => typeof value === 'number')
        return values.length > 0 ? Math.round(median(values)) : undefined
      }
      const [ms, cpuMs, rssMb] = ['ms', 'cpuMs', 'rssMb'].map(middle)
      const state = rows.some(({ isPreserved }) => isPreserved === false) ? 'lost' : undefined
      return { what, server: name, ms: ms ?? 'only after a reload', cpuMs, rssMb, state, rounds }
    }),
  )
}

async function measureRound(framework, browser, edits) {
  const rows = []
  for (const name of framework.written) {
    rmSync(framework.cwd + name, { recursive: true, force: true })
  }
  for (const what of ['first page, no cache', 'first page, with caches']) {
    const startedAt = performance.now()
    const server = await start(framework)
    try {
      const html = await (await fetch(`${server.url}/start`)).text()
      const ms = performance.now() - startedAt
      if (!html.includes('server-')) throw new Error(`${framework.name}: ${html.slice(0, 500)}`)
      rows.push({ what, ms, ...usage(server) })
      rows.push(...(await inPage(browser, server.url, (page) => edit(page, framework, edits))))
      // Caches are written some time after the browser has loaded all modules.
      await sleep(500)
    } finally {
      await server.stop()
    }
  }
  return rows
}

function start({ cwd, dev, env }) {
  const options = { cwd, env: { ...env, NODE_ENV: 'development' }, cores: '0-1' }
  return startServer({ ...options, args: dev, path: '/start', timeoutMs: waitAtMostMs })
}

function usage({ pid }) {
  return { cpuMs: cpuMicroseconds(pid) / 1000, rssMb: residentBytes(pid) / 2 ** 20 }
}

/**
 * Edits files alternately, and waits until the screen shows each edit.
 * @returns `ms` of each edit, or `null` if the screen does not show it unless somebody reloads the page;
 * `isPreserved` is false if the counter has lost its state
 */
async function edit(page, { cwd, clientFile = 'shared/counter.tsx' }, edits) {
  const rows = []
  await page.goto('/start')
  await count(page)
  // Some servers reload the page after they have prepared dependencies.
  await page.waitForLoadState('networkidle')
  await count(page)
  for (let n = 1; n <= edits; n++) {
    for (const { what, file = clientFile, change } of edited) {
      if (rows.some((row) => row.what === what && row.ms === null)) continue
      await sleep(pauseMs)
      const { text, expectedText } = change(readFileSync(cwd + file, 'utf8'))
      const options = { polling: 'raf', timeout: displayTimeoutMs }
      const showing = page.waitForFunction(showsAt, expectedText, options).catch(() => null)
      const writtenAtMs = Date.now()
      writeFileSync(cwd + file, text)
      const shown = await (await showing)?.jsonValue()
      if (shown) rows.push({ what, ms: shown.atMs - writtenAtMs, isPreserved: shown.isPreserved })
      else rows.push({ what, ms: null })
      if (shown?.isPreserved) continue
      if (!shown) await page.reload()
      await count(page)
    }
  }
  return rows
}

function count(page) {
  return page.waitForFunction(countedOnce, null, { polling: 50, timeout: waitAtMostMs })
}

function editGreeting(source) {
  const expectedText = `server-${Number(/server-(\d+)/.exec(source)[1]) + 1}`
  return { text: source.replace(/server-\d+/, expectedText), expectedText }
}

function editCounter(source) {
  const expectedText = `Count${Number(/>\s*Count(\d*)/.exec(source)[1]) + 1}`
  return { text: source.replace(/(>\s*)Count\d*/, `$1${expectedText}`), expectedText }
}

/** Returns when the change is shown, and if the counter has its state. Runs in the page. */
function showsAt(change) {
  const isDisplayed = document.querySelector('main')?.textContent.includes(change)
  const counter = document.querySelector('button.counter')?.textContent
  return isDisplayed && { atMs: Date.now(), isPreserved: counter?.endsWith(' 1') === true }
}
