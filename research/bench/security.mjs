/**
 * Measures the cost of a Content-Security-Policy. The same app runs alternately with and without it,
 * for the small dynamic page and for a static one. Compare only ratios of the same run, not figures
 * of two runs.
 *
 *   node security.mjs [--seconds 4] [--rounds 5]
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
})
const seconds = Number(options.seconds ?? 4)
const rounds = Number(options.rounds ?? 5)
const pages = ['/small', '/']

const config = (security) =>
  `import { waymark } from 'waymark/vite'\nexport default { plugins: [waymark(${security})] }\n`

const variants = [
  { name: 'without', config: config('') },
  { name: 'with', config: config('{ security: { csp: true } }') },
]

requireTools()
console.log(describeMachine())
const folder = fileURLToPath(new URL('./dist/security/', import.meta.url))
const running = []
try {
  for (const variant of variants) {
    const cwd = layOut(variant)
    await buildApp(cwd)
    running.push({ ...variant, ...(await startServer({ args: startArgs, cwd })) })
  }
  const results = []
  for (const page of pages) results.push(await measure(page))
  appendResults('security', results)
  for (const { page, cpuRatio, rateRatio, cpu } of results) {
    console.log(`${page}  CPU ${cpuRatio.toFixed(3)}  rate ${rateRatio.toFixed(3)}  (${cpu} µs)`)
  }
} finally {
  await Promise.all(running.map((server) => server.stop()))
}

function layOut({ name, config }) {
  const cwd = join(folder, name)
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  const isMade = (path) => /(?:^|\/)(?:\.waymark|node_modules)$/.test(path)
  cpSync(fixtureDir, cwd, {
    recursive: true,
    filter: (path) => !isMade(path.slice(fixtureDir.length)),
  })
  // The fixture's files import their pages from a folder next to it.
  rmSync(join(folder, 'pages'), { force: true })
  symlinkSync(fileURLToPath(new URL('./pages/', import.meta.url)), join(folder, 'pages'), 'dir')
  writeFileSync(join(cwd, 'vite.config.ts'), config)
  return cwd
}

/**
 * Each round measures both apps, in alternating order. The result is the median of the rounds'
 * ratios.
 */
async function measure(page) {
  const ratios = { cpu: [], rate: [] }
  const cpu = { without: [], with: [] }
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? running : running.toReversed()
    const figures = {}
    for (const { name, url, pid } of order) {
      const before = cpuMicroseconds(pid)
      const { requests, perSecond } = await load(url + page, seconds)
      figures[name] = { cpu: (cpuMicroseconds(pid) - before) / requests, perSecond }
    }
    // The first round warms up.
    if (round < 0) continue
    ratios.cpu.push(figures.with.cpu / figures.without.cpu)
    ratios.rate.push(figures.with.perSecond / figures.without.perSecond)
    for (const name of ['without', 'with']) cpu[name].push(figures[name].cpu)
  }
  return {
    page,
    cpuRatio: median(ratios.cpu),
    rateRatio: median(ratios.rate),
    cpu: `${Math.round(median(cpu.without))} → ${Math.round(median(cpu.with))}`,
  }
}
