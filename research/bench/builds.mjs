/**
 * Measures builds on two cores: apps of one-line routes compared with React Router, a route with many
 * prerendered pages, and a second build after an edit of one page.
 *
 *   node builds.mjs [--routes 1000] [--pages 10000] [--rounds 2]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cliFile } from './lib/fixture.mjs'
import { generateApp, generatePages, removeApp, writeContent } from './lib/generateApp.mjs'
import { measureCommand } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { frameworks, installApp, versionOf } from './peers/frameworks.mjs'

const { values: options } = parseArgs({
  options: {
    routes: { type: 'string', default: '1000' },
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '2' },
  },
})
const routes = Number(options.routes)
const pages = Number(options.pages)
const rounds = Number(options.rounds)

console.log(describeMachine())
const rows = []
if (routes > 0) rows.push(...(await measureRoutes()))
if (pages > 0) rows.push(...(await measurePages()))
appendResults('builds', rows)
printTable(
  [
    ['build', 'build'],
    ['s', 'seconds'],
    ['CPU s', 'cpuSeconds'],
    ['peak MB', 'peakMb'],
  ],
  rows,
)
console.log('to reach: half of React Router; 10,000 pages in 180 s and 1,000 MB')

/** Builds alternately, so that other load of the machine affects both. */
async function measureRoutes() {
  const peer = frameworks.find(({ folder }) => folder === 'react-router')
  installApp(peer)
  writeRoutes(peer.cwd)
  const dir = generateApp(routes)
  // React Router prerenders none of its routes.
  const alikeDir = generateApp(routes, { isPrerendered: false })
  const waymark = []
  const alike = []
  const theirs = []
  for (let round = 0; round < rounds; round++) {
    waymark.push(await buildAnew(dir))
    alike.push(await buildAnew(alikeDir))
    theirs.push(await run(peer.build, peer.cwd))
  }
  writeFileSync(`${dir}app/r1/page.tsx`, 'export default () => <h1>Edited</h1>\n')
  const again = await run([cliFile, 'build'], dir)
  for (const folder of [dir, alikeDir]) removeApp(folder)
  return [
    { build: `${routes} routes`, ...middle(waymark) },
    { build: `${routes} routes, none prerendered`, ...middle(alike) },
    { build: `${routes} routes, one edited`, ...again },
    { build: `${routes} routes, React Router ${versionOf(peer)}`, ...middle(theirs) },
  ]
}

async function measurePages() {
  const dir = generatePages(pages)
  const whole = await buildAnew(dir)
  writeContent(dir, pages, 'Edited.')
  const again = await run([cliFile, 'build'], dir)
  removeApp(dir)
  return [
    { build: `${pages} pages of one route`, ...whole },
    { build: `${pages} pages, one changed`, ...again },
  ]
}

function buildAnew(cwd) {
  rmSync(`${cwd}.waymark`, { recursive: true, force: true })
  return run([cliFile, 'build'], cwd)
}

function run(args, cwd) {
  return measureCommand(args, { cwd, env: { ...process.env, NODE_ENV: 'production' } })
}

/** Writes the same routes for React Router, none of them prerendered. */
function writeRoutes(cwd) {
  const names = Array.from({ length: routes - 1 }, (_, at) => `r${at + 1}`)
  const folder = `${cwd}app/routes/many/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const write = (name, title) =>
    writeFileSync(`${folder}${name}.jsx`, `export default () => <h1>${title}</h1>\n`)
  write('home', 'Home')
  for (const name of names) write(name, `Route ${name.slice(1)}`)
  const list = names.map((name) => `  route('${name}', 'routes/many/${name}.jsx'),\n`).join('')
  writeFileSync(
    `${cwd}app/routes.js`,
    `import { index, route } from '@react-router/dev/routes'\n\nexport default [\n  index('routes/many/home.jsx'),\n${list}]\n`,
  )
  writeFileSync(`${cwd}react-router.config.mjs`, 'export default {}\n')
}

function middle(samples) {
  const of = (key) => Number(median(samples.map((each) => each[key])).toFixed(1))
  return {
    seconds: of('seconds'),
    cpuSeconds: of('cpuSeconds'),
    peakMb: Math.max(...samples.map(({ peakMb }) => peakMb)),
  }
}
