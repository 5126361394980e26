/**
 * Counts lost clicks in Waymark and its peers: after 15 s neither the page, nor a screen, nor a
 * notice is there. `README.md` tells what the cases are.
 *
 *   node lost-clicks/run.mjs [--only next] [--case stalls] [--runs 160] [--busy 10] [--at-once 4]
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startFaultProxy } from '@waymark/testing'
import { inPage, launchBrowser } from '../lib/browser.mjs'
import { cliFile } from '../lib/fixture.mjs'
import { appendResults, describeMachine, printTable } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'
import { buildPeer, installApp, versionOf, withClicks } from '../peers/frameworks.mjs'
import { cases } from './cases.mjs'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: withClicks.map(({ folder }) => folder) },
    case: { type: 'string', default: '' },
    runs: { type: 'string', default: '160' },
    busy: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '4' },
  },
})
const lostAfterMs = 15_000
const busyFile = new URL('../lib/busy.mjs', import.meta.url).pathname

if (!existsSync(cliFile)) throw new Error(`${cliFile} is not built: npm run build`)
console.log(describeMachine())
const chosen = cases.filter(({ name }) => name.includes(options.case))
const browser = await launchBrowser()
const busy = Array.from({ length: Number(options.busy) }, () =>
  spawn(process.execPath, [busyFile, String(24 * 3_600_000)], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of busy) child.kill()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
try {
  const rows = []
  for (const each of withClicks.filter(({ folder }) => options.only.includes(folder))) {
    rows.push(...(await measure(each)))
  }
  appendResults('lost-clicks', rows)
  printTable(
    ['case', 'server', 'version', 'runs', 'page', 'screen', 'notice', 'lost'].map((key) => [
      key,
      key,
    ]),
    rows,
  )
} finally {
  await browser.close()
  for (const child of busy) child.kill()
}

async function measure({ start, ...framework }) {
  installApp(framework)
  await buildPeer(framework)
  const server = await startServer({ ...framework, args: start, cores: '0-63' })
  const about = { server: framework.name, version: versionOf(framework) }
  const rows = []
  try {
    for (const each of chosen) {
      const outcomes = await countOutcomes(each, server)
      rows.push({ case: each.name, ...about, runs: Number(options.runs), ...outcomes })
      console.log(`${framework.name}: ${each.name}: ${outcomes.lost} lost`)
    }
  } finally {
    await server.stop()
  }
  return rows
}

async function countOutcomes(each, server) {
  const counts = { page: 0, screen: 0, notice: 0, lost: 0 }
  let next = 0
  const work = async () => {
    while (next++ < Number(options.runs)) {
      counts[await outcomeOf(each, server)]++
    }
  }
  await Promise.all(Array.from({ length: Number(options['at-once']) }, work))
  return counts
}

/** A run has a proxy and a browser context of its own: faults and caches are nobody else's. */
async function outcomeOf({ act, expected }, server) {
  const proxy = await startFaultProxy(server.url)
  try {
    return await inPage(browser, proxy.origin, async (page) => {
      await act({ page, proxy })
      const isThere = page.waitForFunction(isShown, expected, {
        timeout: lostAfterMs,
        polling: 100,
      })
      return isThere.then(
        () => 'page',
        () => page.evaluate(readOutcome),
      )
    })
  } finally {
    await proxy.stop()
  }
}

/** Runs in the page. */
function isShown({ path, heading }) {
  const headings = [...document.querySelectorAll('h1')]
  const isVisible = headings.some((each) => each.textContent === heading && each.checkVisibility())
  return location.pathname === path && isVisible
}

/** Runs in the page that is not the expected one: a notice, a screen, or what was there before. */
function readOutcome() {
  const isVisible = (element) => element.checkVisibility() && element.textContent.trim() !== ''
  const roles =
    ':popover-open, [role=alert], [role=alertdialog], [role=dialog], [role=status], dialog[open]'
  if ([...document.querySelectorAll(roles)].some(isVisible)) return 'notice'
  const pages = ['Start', 'Refresh', 'A small dynamic page', 'A page with 100 items']
  const isOfAPage = [...document.querySelectorAll('h1')].some(
    (each) => pages.includes(each.textContent) && each.checkVisibility(),
  )
  return isOfAPage || document.body.textContent.trim() === '' ? 'lost' : 'screen'
}
