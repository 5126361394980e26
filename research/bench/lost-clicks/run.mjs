/**
 * Counts lost clicks in Waymark and its peers. A click is lost if after 15 s there is no page, no error
 * screen and no notice. `README.md` describes the cases.
 *
 *   node lost-clicks/run.mjs [--only next] [--case stalls] [--runs 160] [--busy 10] [--at-once 4]
 *   node lost-clicks/run.mjs --browser firefox    apt-get install firefox-esr
 *   node lost-clicks/run.mjs --browser webkit     apt-get install webkit2gtk-driver xvfb
 *
 * With an interrupt (SIGINT) it ends after the current round, and tells what it has counted. Each
 * outcome is a line of `dist/lost-clicks.jsonl`, too; `--pictures` puts what Chromium showed in the
 * place of a page into `dist/lost-clicks/`; `--built` takes the apps as the last run has built them.
 * `--watch` writes of a lost click in another browser all that happened in its documents.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inPage, launchBrowser } from '../lib/browser.mjs'
import { cliFile } from '../lib/fixture.mjs'
import { appendResults, describeMachine, printTable } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'
import { buildPeer, installApp, versionOf, withRefresh } from '../peers/frameworks.mjs'
import { cases } from '../../../e2e/harness/lostClicks/cases.mjs'
import { commands, openFramePages } from '../../../e2e/harness/lostClicks/framePages.mjs'
import { runCase } from '../../../e2e/harness/lostClicks/outcome.mjs'

const { values: options } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    only: { type: 'string', multiple: true },
    case: { type: 'string', default: '' },
    runs: { type: 'string', default: '160' },
    busy: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '4' },
    pictures: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
})
const isChromium = options.browser === 'chromium'
const only = options.only ?? (isChromium ? withRefresh.map(({ folder }) => folder) : ['waymark'])
const busyFile = fileURLToPath(new URL('../lib/busy.mjs', import.meta.url))
const outcomesFolder = new URL('../dist/', import.meta.url)
const kinds = ['page', 'screen', 'notice', 'lost', 'failed']

if (!existsSync(cliFile)) throw new Error(`${cliFile} is not built: npm run build`)
if (!isChromium && !commands[options.browser]) throw new Error(`No browser: ${options.browser}`)
console.log(describeMachine())
mkdirSync(outcomesFolder, { recursive: true })

const servers = []
for (const each of withRefresh.filter(({ folder }) => only.includes(folder))) {
  servers.push(await startFramework(each))
}
const busy = Array.from({ length: Number(options.busy) }, () =>
  spawn(process.execPath, [busyFile, String(24 * 3_600_000)], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of busy) child.kill()
})
const chromium = isChromium ? await launchBrowser({ handleSIGINT: false }) : null
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})
process.once('SIGTERM', () => process.exit(143))

const rows = createRows()
try {
  const queue = runsInTurn()
  await Promise.all(Array.from({ length: Number(options['at-once']) }, () => work(queue)))
} finally {
  appendResults('lost-clicks', rows)
  const columns = ['case', 'server', 'version', 'runs', ...kinds]
  printTable(
    columns.map((key) => [key, key]),
    rows,
  )
  await chromium?.close()
  await Promise.all(servers.map(({ stop }) => stop()))
  for (const child of busy) child.kill()
}

async function startFramework({ start, ...framework }) {
  if (!options.built) {
    installApp(framework)
    await buildPeer(framework)
  }
  const server = await startServer({ ...framework, args: start, cores: '0-63' })
  return { ...server, name: framework.name, version: versionOf(framework) }
}

function createRows() {
  const chosen = cases.filter(({ name }) => name.includes(options.case))
  return chosen.flatMap(({ name }) =>
    servers.map((server) => ({
      case: name,
      server: server.name,
      version: server.version,
      browser: options.browser,
      busy: busy.length,
      runs: 0,
      ...Object.fromEntries(kinds.map((kind) => [kind, 0])),
    })),
  )
}

/**
 * Runs every case in every framework, then all of them again, so that a slow period affects all
 * frameworks.
 */
function* runsInTurn() {
  for (let run = 0; run < Number(options.runs) && !isStopped; run++) yield* rows
}

/** Takes one run after the other, each in a new browser, unless the browser has contexts. */
async function work(queue) {
  const pages = chromium
    ? { inPage: ({ origin }, act) => inPage(chromium, origin, act), close() {} }
    : await openFramePages(commands[options.browser], options.watch)
  try {
    for (const row of queue) {
      // A run that failed before the click says nothing, so it is repeated.
      while ((await run(row, pages)) === 'failed');
      row.runs++
    }
  } finally {
    await pages.close()
  }
}

async function run(row, { inPage }) {
  const chosen = cases.find(({ name }) => name === row.case)
  const { url } = servers.find(({ name }) => name === row.server)
  const look = options.pictures ? (page, kind) => takePicture(page, row, kind) : undefined
  const startedAt = performance.now()
  const outcome = await runCase(chosen, url, inPage, look).catch((error) => ({
    kind: 'failed',
    error: String(error),
  }))
  row[outcome.kind]++
  if (row.failed > Number(options.runs)) throw new Error(outcome.error)
  const { case: name, server, browser } = row
  const ms = Math.round(performance.now() - startedAt)
  const line = JSON.stringify({ case: name, server, browser, ...outcome, ms })
  appendFileSync(new URL('lost-clicks.jsonl', outcomesFolder), `${line}\n`)
  return outcome.kind
}

async function takePicture(page, row, kind) {
  const name = `${row.case} in ${row.server}, ${kind}.png`
  await page.screenshot({ path: fileURLToPath(new URL(`lost-clicks/${name}`, outcomesFolder)) })
}
