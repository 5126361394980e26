// Usage: node research/suites/sameAsNext.mjs [--into <folder>] [--write]
// Builds the app of e2e/fixtures/nextSame with Next 16.4.6 and with Waymark, asks both the same, and
// prints what differs. `--write` records what Next gave, which e2e/nextSame.test.ts expects.
import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { chromium as engine } from 'playwright-core'
import { root } from '../../scripts/workspace/paths.mjs'
import { must, say } from '../../scripts/workspace/run.mjs'
import { chromium } from '../../scripts/workspace/systemTools.mjs'
import { freePort, whileRunning } from './clickThrough.mjs'
import { flows } from '../../e2e/harness/nextSame/sameFlows.mjs'
import { createUpstream, probes } from '../../e2e/harness/nextSame/sameProbes.mjs'
import { changeManifest, layOut } from './suite.mjs'

const { values } = parseArgs({
  options: {
    into: { type: 'string', default: '/tmp/waymark-suites/sameAsNext' },
    write: { type: 'boolean', default: false },
  },
})
const fixture = path.join(root, 'e2e/fixtures/nextSame')
const { folder, packs } = await layOut({ name: 'sameAsNext', into: values.into })
const react = { react: '19.3.1', 'react-dom': '19.3.1' }

const there = await observe('next', { next: '16.4.6', ...react }, 'next/dist/bin/next')
const ours = { next: packs.next, waymark: packs.waymark, vite: '^8.3.8', ...react }
const here = await observe('waymark', ours, 'waymark/bin/waymark.js')

const names = Object.keys(there).filter((name) => !isDeepStrictEqual(there[name], here[name]))
for (const name of names) {
  say(`${name}\n  Next: ${JSON.stringify(there[name])}\n  here: ${JSON.stringify(here[name])}`)
}
say(`${names.length} of ${Object.keys(there).length} observations differ`)
if (values.write) {
  const file = path.join(fixture, 'observed.json')
  await writeFile(file, JSON.stringify(there))
  await must('npx', ['biome', 'check', '--write', file], root)
}

/**
 * Builds and serves the app, and runs all probes.
 * @param {string} name
 * @param {Record<string, string>} dependencies
 * @param {string} program path below `node_modules`
 */
async function observe(name, dependencies, program) {
  const app = path.join(folder, `app-${name}`)
  await cp(fixture, app, { recursive: true })
  await changeManifest(app, (manifest) => ({ ...manifest, name, dependencies }))
  // Next checks the types of every file that it finds.
  if (name === 'next') await rm(path.join(app, 'vite.config.mts'))
  await must('npm', ['install', '--no-audit', '--no-fund'], app)
  const upstream = createUpstream()
  const upstreamPort = await freePort()
  const port = await freePort()
  await new Promise((resolve) => upstream.listen(upstreamPort, '127.0.0.1', () => resolve(null)))
  const env = { ...process.env, UPSTREAM: `http://127.0.0.1:${upstreamPort}` }
  const command = ['node', path.join('node_modules', program)]
  await must('node', [command[1] ?? '', 'build'], app, env)
  const origin = `http://localhost:${port}`
  const isReady = () =>
    fetch(origin)
      .then(({ ok }) => ok)
      .catch(() => false)
  const start = [...command, 'start', '--port', String(port)]
  try {
    return await whileRunning(start, { cwd: app, env }, isReady, () => ask(origin))
  } finally {
    upstream.close()
  }
}

/** @param {string} origin @returns {Promise<Record<string, unknown>>} */
async function ask(origin) {
  /** @type {Record<string, unknown>} */
  const observed = {}
  for (const [name, probe] of Object.entries(probes)) observed[name] = await probe({ origin })
  const executablePath = chromium.find()
  if (executablePath === null) throw new Error(chromium.hint())
  const browser = await engine.launch({ executablePath, args: ['--no-sandbox'] })
  for (const [name, flow] of Object.entries(flows)) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } })
    observed[name] = await flow(page, origin)
    await page.close()
  }
  await browser.close()
  return observed
}
