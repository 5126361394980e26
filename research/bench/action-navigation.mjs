/**
 * Measures by how much a pending server action slows down a navigation, from click to commit. It
 * alternates between a pending and an ended action. The measured app is the lab of the reference
 * site.
 *
 *   node action-navigation.mjs [--rounds 12]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { chromium as systemChromium } from '../../scripts/workspace/systemTools.mjs'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = Number(options.rounds ?? 12)
const cwd = fileURLToPath(new URL('../../site/', import.meta.url))

console.log(describeMachine())
await buildApp(cwd)
const server = await startServer({ args: startArgs, cwd })
const executablePath = systemChromium.find()
if (executablePath === null) throw new Error(systemChromium.hint())
const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
try {
  const times = { without: [], during: [] }
  await measure(false)
  for (let round = 0; round < rounds; round++) {
    times.without.push(await measure(false))
    times.during.push(await measure(true))
  }
  const without = median(times.without)
  const during = median(times.during)
  const row = { rounds, withoutMs: without, duringMs: during, ratio: during / without }
  appendResults('action-navigation', [row])
  printTable(
    [
      ['rounds', 'rounds'],
      ['without ms', ({ withoutMs }) => withoutMs.toFixed(1)],
      ['during ms', ({ duringMs }) => duringMs.toFixed(1)],
      ['ratio', ({ ratio }) => ratio.toFixed(2)],
    ],
    [row],
  )
} finally {
  await browser.close()
  await server.stop()
}

/** Measures one navigation in a new document, while an action is pending or after it has ended. */
async function measure(isPending) {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/lab/actions', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Take six seconds' }).click()
  await page.getByText('At work…').waitFor()
  // The click that starts the action also loads the router, and warms up the code of navigations. A
  // document without any action would look slower than one with a pending action.
  if (!isPending) await page.getByText('At work…').waitFor({ state: 'detached' })
  const ms = await page.evaluate(clickAndWait)
  // Otherwise, the action was already over, and the measurement is invalid.
  if (isPending) await page.getByText('At work…').waitFor({ timeout: 500 })
  await context.close()
  return ms
}

/** Measures from the click until the heading of the other page is shown. Runs in the page. */
function clickAndWait() {
  return new Promise((resolve) => {
    const link = document.querySelector('a.button[href="/lab/actions/beside"]')
    const startedAt = performance.now()
    const isThere = () =>
      [...document.querySelectorAll('h2')].some((each) => each.textContent === 'Another page')
    const observer = new MutationObserver(() => {
      if (!isThere()) return
      observer.disconnect()
      resolve(performance.now() - startedAt)
    })
    observer.observe(document, { childList: true, subtree: true })
    link.click()
  })
}
