/**
 * Measures the same pages in Waymark, Next, TanStack Start and React Router: requests per second,
 * CPU and memory, bytes, clicks, builds and dev servers. `README.md` tells what is different.
 *
 *   node peers/run.mjs [--part build --part start --part pages --part clicks --part dev] [--only next]
 *     [--seconds 4] [--rounds 5]
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../lib/browser.mjs'
import { cliFile } from '../lib/fixture.mjs'
import { requireTools } from '../lib/load.mjs'
import { appendResults, describeMachine, printTable } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'
import { measureClicks } from './clicks.mjs'
import { measureDev } from './dev.mjs'
import { buildPeer, frameworks, installApp, versionOf } from './frameworks.mjs'
import { measurePages } from './pages.mjs'
import { measureStarts } from './start.mjs'

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['build', 'start', 'pages', 'clicks', 'dev'] },
    only: { type: 'string', multiple: true, default: frameworks.map(({ folder }) => folder) },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const measured = frameworks.filter(({ folder }) => options.only.includes(folder))

requireTools()
if (!existsSync(cliFile)) throw new Error(`${cliFile} is not built: npm run build`)
console.log(describeMachine())
for (const each of measured) {
  installApp(each)
  console.log(`${each.name} ${versionOf(each)}`)
}
const browser = await launchBrowser()
try {
  if (options.part.some((part) => part !== 'dev')) await measureBuilds()
  if (options.part.includes('dev')) {
    report('peers-dev', await measureDev(measured, browser, rounds), [
      ['what', 'what'],
      ['server', 'server'],
      ['ms', 'ms'],
      ['CPU ms', 'cpuMs'],
      ['RSS MB', 'rssMb'],
    ])
  }
} finally {
  await browser.close()
}

async function measureBuilds() {
  const builds = []
  for (const each of measured) builds.push(await buildPeer(each))
  report('peers-build', builds, [
    ['server', 'server'],
    ['build s', 'buildSeconds'],
    ['peak MB', 'peakMb'],
  ])
  if (options.part.includes('start')) {
    report('peers-start', await measureStarts(measured, rounds), [
      ['server', 'server'],
      ['start ms', 'ms'],
      ['CPU ms', 'cpuMs'],
    ])
  }
  const running = []
  try {
    for (const { start, ...each } of measured) {
      running.push({ ...each, ...(await startServer({ ...each, args: start })) })
    }
    if (options.part.includes('pages')) {
      report('peers-pages', await measurePages(running, browser, { seconds, rounds }), [
        ['page', 'page'],
        ['server', 'server'],
        ['req/s', 'perSecond'],
        ['CPU ms', 'cpuMs'],
        ['bytes', 'bytes'],
        ['brotli', 'brotli'],
        ['RSS MB', 'rssMb'],
      ])
    }
    if (options.part.includes('clicks')) {
      report('peers-clicks', await measureClicks(running, browser, rounds), [
        ['click', 'what'],
        ['server', 'server'],
        ['ms', 'ms'],
        ['worst', 'worstMs'],
      ])
    }
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

function report(kind, rows, columns) {
  appendResults(kind, rows)
  console.log()
  printTable(columns, rows)
}
