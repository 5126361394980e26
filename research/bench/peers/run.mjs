/**
 * Measures the same pages in Waymark, Next, TanStack Start, React Router, SvelteKit and Astro:
 * requests per second, CPU and memory, bytes, the highest load, clicks, builds and dev servers.
 * `README.md` tells what is different.
 *
 *   node peers/run.mjs [--part check --part build --part start --part pages --part overload
 *     --part clicks --part dev] [--only next] [--seconds 4] [--rounds 5] [--built] [--markdown]
 *
 * `--built` uses the apps as the last run left them, unless `build` or `dev` is measured.
 * `--markdown` also prints the tables as the guide shows them.
 * `--seconds 1 --rounds 2` takes some minutes, and tells whether everything works.
 */
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../lib/browser.mjs'
import { cliFile } from '../lib/fixture.mjs'
import { requireTools } from '../lib/load.mjs'
import { appendResults, describeMachine, printTable } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'
import { measureClicks } from './clicks.mjs'
import { measureDev } from './dev.mjs'
import { buildPeer, frameworks, installApp, versionOf } from './frameworks.mjs'
import { findLosses } from './losses.mjs'
import { markdownTables } from './markdown.mjs'
import { measureOverload } from './overload.mjs'
import { checkPages, measurePages } from './pages.mjs'
import { measureStarts } from './start.mjs'

const parts = ['build', 'start', 'pages', 'overload', 'clicks', 'dev']
const folders = frameworks.map(({ folder }) => folder)
const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: parts },
    only: { type: 'string', multiple: true, default: folders },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    built: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const measured = frameworks.filter(({ folder }) => options.only.includes(folder))
const isPart = (name) => options.part.includes(name)

refuseUnknown(options.part, [...parts, 'check'])
refuseUnknown(options.only, folders)
requireTools()
if (!existsSync(cliFile)) throw new Error(`${cliFile} is not built: npm run build`)
console.log(`${new Date().toISOString().slice(0, 16)} UTC. ${describeMachine()}`)
const isBuilt = options.built && !isPart('build') && !isPart('dev')
if (!isBuilt) for (const each of measured) installApp(each)
const versions = Object.fromEntries(measured.map((each) => [each.name, versionOf(each)]))
console.log(
  Object.entries(versions)
    .map((each) => each.join(' '))
    .join(', '),
)
const browser = await launchBrowser()
try {
  if (options.part.some((part) => part !== 'dev')) await measureProduction()
  if (isPart('dev')) {
    await report('peers-dev', () => measureDev(measured, browser, rounds), {
      by: 'what',
      columns: [
        ['what', 'what'],
        ['server', 'server'],
        ['ms', 'ms'],
        ['state', 'state'],
        ['CPU ms', 'cpuMs'],
        ['RSS MB', 'rssMb'],
      ],
      measures: [
        { name: 'ms', key: 'ms' },
        { name: 'CPU ms', key: 'cpuMs' },
        { name: 'RSS MB', key: 'rssMb' },
      ],
    })
  }
} finally {
  await browser.close()
}

async function measureProduction() {
  if (!isBuilt) await reportBuilds()
  if (isPart('start')) {
    await report('peers-start', () => measureStarts(measured, rounds), {
      columns: [
        ['server', 'server'],
        ['start ms', 'ms'],
        ['CPU ms', 'cpuMs'],
      ],
      measures: [
        { name: 'start ms', key: 'ms' },
        { name: 'CPU ms', key: 'cpuMs' },
      ],
    })
  }
  if (['check', 'pages', 'clicks'].some(isPart)) await withServers(measureServers)
  if (isPart('overload')) {
    // The search takes long, so it has fewer rounds.
    const load = { seconds, rounds: Math.ceil(rounds / 2) }
    await report('peers-overload', () => measureOverload(measured, load), {
      by: 'page',
      columns: [
        ['page', 'page'],
        ['server', 'server'],
        ['highest/s', rangeOf('highest')],
        ['at twice: offered/s', 'offeredPerSecond'],
        ['200 within 1 s', 'inTimePerSecond'],
        ['200 within 10 s', 'okPerSecond'],
        ['p99 ms', 'p99Ms'],
        ['503/s', 'refusedPerSecond'],
        ['failed', 'failed'],
      ],
      measures: [
        { name: 'highest/s', key: 'highest', isHigherBetter: true },
        { name: 'at twice, within 1 s', key: 'inTimePerSecond', isHigherBetter: true },
      ],
    })
  }
}

async function reportBuilds() {
  const buildAll = async () => {
    const builds = []
    for (const each of measured) builds.push(await buildPeer(each))
    return builds
  }
  await report('peers-build', buildAll, {
    columns: [
      ['server', 'server'],
      ['build s', 'buildSeconds'],
      ['peak MB', 'peakMb'],
    ],
    measures: [
      { name: 'build s', key: 'buildSeconds' },
      { name: 'peak MB', key: 'peakMb' },
    ],
  })
}

async function withServers(act) {
  const running = []
  try {
    for (const { start, ...each } of measured) {
      running.push({ ...each, ...(await startServer({ ...each, args: start })) })
    }
    await act(running)
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

async function measureServers(running) {
  if (isPart('check') && !isPart('pages')) {
    const targets = await checkPages(running, browser)
    console.log(`${targets.length} pages have the expected status and content.`)
  }
  if (isPart('pages')) {
    await report('peers-pages', () => measurePages(running, browser, { seconds, rounds }), {
      by: 'page',
      columns: [
        ['page', 'page'],
        ['server', 'server'],
        ['req/s', 'perSecond'],
        ['CPU ms', rangeOf('cpuMs')],
        ['of Waymark', rangeOf('ofWaymark')],
        ['of speedups', rangeOf('ofSpeedups')],
        ['bytes', 'bytes'],
        ['brotli', 'brotli'],
        ['RSS MB', 'rssMb'],
      ],
      measures: [
        { name: 'CPU ms', key: 'cpuMs', ratioKeys: ['ofWaymark', 'ofSpeedups'] },
        { name: 'req/s', key: 'perSecond', isHigherBetter: true },
        { name: 'bytes', key: 'bytes' },
        { name: 'brotli', key: 'brotli' },
        { name: 'RSS MB', key: 'rssMb' },
      ],
    })
  }
  if (isPart('clicks')) {
    await report('peers-clicks', () => measureClicks(running, browser, rounds), {
      by: 'what',
      columns: [
        ['click', 'what'],
        ['server', 'server'],
        ['ms', 'ms'],
        ['worst', 'worstMs'],
      ],
      measures: [{ name: 'ms', key: 'ms' }],
    })
  }
}

/** Measures, and prints where Waymark loses before the figures of all frameworks. */
async function report(kind, measure, { by, columns, measures }) {
  const loadBefore = loadNow()
  const rows = await measure()
  const loadAfter = loadNow()
  const extra = { loadBefore, loadAfter }
  appendResults(
    kind,
    rows.map((row) => ({ ...row, version: versions[row.server], ...extra })),
  )
  console.log(`\n${kind}: load average ${loadBefore} before, ${loadAfter} after`)
  const losses = findLosses(rows, { by, measures })
  if (losses.length > 0) {
    console.log('Where Waymark loses, the largest difference first:')
    printTable(
      [
        ...(by ? [[by, 'subject']] : []),
        ['measure', 'measure'],
        ['server', 'waymark'],
        ['value', 'value'],
        ['best', 'first'],
        ['value', 'firstValue'],
        ['ratio', 'ratio'],
        ['ahead', 'ahead'],
      ],
      losses,
    )
    console.log()
  }
  printTable(columns, rows)
  if (options.markdown) console.log(`\n${markdownTables(rows, { by, measures })}`)
}

function loadNow() {
  return Number(loadavg()[0].toFixed(1))
}

function rangeOf(key) {
  return ({ [key]: value }) => value && `${value.median} (${value.least}-${value.most})`
}

function refuseUnknown(chosen, known) {
  const unknown = chosen.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown}. Choose from ${known.join(', ')}`)
}
