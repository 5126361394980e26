// Usage: node research/suites/packages/run.mjs [--only <name>] [--installed] [--into <folder>]
// The packages that App Router apps use most, each in a small app: built and served, then in
// development, opened in a browser whose console must be quiet. Writes the table of the guide.
// `--installed` keeps what an earlier run has installed.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as engine } from 'playwright-core'
import { must, say } from '../../../scripts/workspace/run.mjs'
import { chromium } from '../../../scripts/workspace/systemTools.mjs'
import { freePort, whileServed } from '../clickThrough.mjs'
import { layOut, report } from '../suite.mjs'
import { componentPackages } from './componentPackages.mjs'
import { serverPackages } from './serverPackages.mjs'
import { statePackages } from './statePackages.mjs'
import { writeTable } from './table.mjs'

/**
 * @typedef {import('./serverPackages.mjs').PackageSample} PackageSample
 * @typedef {{ name: string, version: string, area: string, build: string, dev: string }} Outcome
 *   `build` and `dev`: what went wrong, else empty
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    installed: { type: 'boolean', default: false },
    into: { type: 'string', default: '/tmp/waymark-suites/packages' },
  },
})

const areas = Object.entries({ ...serverPackages, ...statePackages, ...componentPackages })
const serverAreas = new Set(Object.keys(serverPackages))
if (!values.installed) await installAll()

const executablePath = chromium.find()
if (executablePath === null) throw new Error(chromium.hint())
const browser = await engine.launch({ executablePath, args: ['--no-sandbox'] })
/** @type {Outcome[]} */
const outcomes = []
try {
  for (const [area, samples] of areas) {
    for (const sample of samples) {
      if (values.only === undefined || values.only === sample.name) await tryPackage(area, sample)
    }
  }
} finally {
  await browser.close()
}
await writeTable(await mergeOutcomes())
const failed = outcomes.flatMap(({ name, build, dev }) => [
  ...(build ? [`${name}, production: ${build}`] : []),
  ...(dev ? [`${name}, development: ${dev}`] : []),
])
report('packages', { passed: outcomes.length * 2 - failed.length, failures: failed })

/** Merges the results of this run into earlier ones, which `--only` does not change. */
async function mergeOutcomes() {
  const file = path.join(values.into, 'outcomes.json')
  /** @type {Outcome[]} */
  const before = values.only === undefined ? [] : JSON.parse(await readFile(file, 'utf8'))
  const isSame = (/** @type {Outcome} */ one) => (/** @type {Outcome} */ other) =>
    one.name === other.name
  const updated = before.map((each) => outcomes.find(isSame(each)) ?? each)
  const merged = [...updated, ...outcomes.filter((each) => !before.some(isSame(each)))]
  await writeFile(file, JSON.stringify(merged))
  return merged
}

/** Installs all packages in one folder, above the folders of the apps. */
async function installAll() {
  const { folder, packs } = await layOut({ name: 'packages', into: values.into })
  const names = areas.flatMap(([, samples]) => samples.flatMap(namesOf))
  const packed = {
    waymark: packs.waymark,
    next: packs.next,
    react: '19.3.1',
    'react-dom': '19.3.1',
  }
  const dependencies = { ...Object.fromEntries(names.map((name) => [name, '*'])), ...packed }
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies }),
  )
  // Some peer dependencies require an older React, or a version of Next.
  await must('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], folder)
}

/** @param {PackageSample} sample */
function namesOf({ name, also = [] }) {
  return [name, ...also]
}

/** @param {string} area @param {PackageSample} sample */
async function tryPackage(area, sample) {
  const { name, env = {} } = sample
  const app = await layOutApp(area, sample)
  const bin = path.join(values.into, 'node_modules/waymark/bin/waymark.js')
  /** @param {'start' | 'dev'} command */
  const lookAt = async (command) => {
    const options = { port: await freePort(), env, bin }
    await whileServed(app, command, options, (origin) => look(origin, sample))
  }
  const build = await problemOf(async () => {
    await must(process.execPath, [bin, 'build'], app, { ...process.env, ...env })
    await lookAt('start')
  })
  const dev = await problemOf(() => lookAt('dev'))
  const manifest = path.join(values.into, 'node_modules', name, 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  outcomes.push({ name, version, area, build, dev })
  say(`${name} ${version}: ${build || dev ? `${build}\n${dev}` : 'works'}`)
}

/** @param {() => Promise<unknown>} step */
async function problemOf(step) {
  try {
    await step()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** @param {string} area @param {PackageSample} sample @returns {Promise<string>} its folder */
async function layOutApp(area, sample) {
  const { top, body = '', jsx, client } = sample
  const app = path.join(values.into, 'apps', sample.name.replace(/\W+/g, '-'))
  await rm(app, { recursive: true, force: true })
  await mkdir(path.join(app, 'app'), { recursive: true })
  const isServer = serverAreas.has(area)
  const dependencies = Object.fromEntries(namesOf(sample).map((name) => [name, '*']))
  const show = `export ${isServer ? 'async ' : ''}function Show() {\n${body}\nreturn ${jsx}\n}\n`
  const files = {
    'package.json': JSON.stringify({ name: 'app-of-the-suite', private: true, dependencies }),
    'vite.config.mts': "import { next } from 'next/vite'\nexport default { plugins: [next()] }\n",
    'app/layout.tsx':
      'import type { ReactNode } from \'react\'\nexport default ({ children }: { children: ReactNode }) => <html lang="en" suppressHydrationWarning><body>{children}</body></html>\n',
    'app/page.tsx':
      "import { Ready } from './ready'\nimport { Show } from './show'\nexport const dynamic = 'force-dynamic'\nexport default () => <main><Show /><Ready /></main>\n",
    'app/ready.tsx':
      "'use client'\nimport { useEffect } from 'react'\nexport function Ready() {\n  useEffect(() => void (document.body.dataset.ready = 'true'))\n  return null\n}\n",
    'app/show.tsx': `${isServer ? '' : "'use client'\n"}${top}\n\n${show}`,
    ...(client ? { 'app/client.tsx': `'use client'\n${client}\n` } : {}),
    'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" />\n',
  }
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(app, file), text)
  return app
}

/** @param {string} origin @param {PackageSample} sample */
async function look(origin, { shows }) {
  const page = await browser.newPage()
  /** @type {string[]} */
  const messages = []
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // A script of the package's service, which refuses an unknown customer.
    const isForeign = !message.location().url.startsWith(origin)
    if (!isForeign || !message.text().startsWith('Failed to load')) messages.push(message.text())
  })
  try {
    const response = await page.goto(origin)
    if (response?.status() !== 200) throw new Error(`the status is ${response?.status()}`)
    await page.waitForFunction(() => document.body.dataset.ready === 'true', { timeout: 20_000 })
    const main = page.locator('main')
    // Content that appears once the server has responded.
    await main
      .filter({ hasText: shows })
      .waitFor({ timeout: 10_000 })
      .catch(() => {})
    const text = (await main.textContent()) ?? ''
    if (!shows.test(text)) throw new Error(`the page shows ${text.slice(0, 200)}`)
    // Time for effects of the package.
    await page.waitForTimeout(300)
    if (messages.length > 0) throw new Error(`the console says ${messages[0]?.slice(0, 300)}`)
  } finally {
    await page.close()
  }
}
