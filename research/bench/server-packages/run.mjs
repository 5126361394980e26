/**
 * Installs packages that servers use, calls each in development, in production and in a standalone
 * build, and writes the table of the guide's page.
 *
 *   node research/bench/server-packages/run.mjs [--app DIR] [--only pg,pino] [--write]
 *
 * It takes about ten minutes and 2 GB, and needs npm's registry. `--app` names a folder to keep, so that
 * its packages are installed only once. `--write` changes the guide.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packForApps } from '../../../scripts/workspace/packForApps.mjs'
import { root } from '../../../scripts/workspace/paths.mjs'
import { run } from '../../../scripts/workspace/run.mjs'
import { freePort } from '../lib/server.mjs'
import { samples } from './samples.mjs'

const { values: options } = parseArgs({
  options: {
    app: { type: 'string', default: join(tmpdir(), `waymark-server-packages-${process.pid}`) },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const names = options.only?.split(',')
const chosen = samples.filter(({ name }) => names?.includes(name) ?? true)
const app = options.app
const alone = `${app}-alone`
const command = join(app, 'node_modules/waymark/bin/waymark.js')
const page = join(root, 'site/app/guide/server-packages/page.mdx')
const isPrisma = chosen.some(({ name }) => name === '@prisma/client')

await writeApp()
await install()
const dev = await callAll([command, 'dev'], app)
const buildStart = performance.now()
await execute(process.execPath, [command, 'build'], app)
console.log(`The build took ${((performance.now() - buildStart) / 1_000).toFixed(1)} s.`)
const production = await callAll([command, 'start'], app)
const { externals = [] } = JSON.parse(readFileSync(join(app, '.waymark/build.json'), 'utf8'))
layOutAlone(externals)
const standalone = await callAll(['built/server.js'], alone)
const rows = chosen.map((sample) => ({
  sample,
  version: versionOf(sample.name),
  results: [dev, production, standalone].map((each) => each.get(sample.name)),
  isInstalled: externals.includes(sample.name),
}))
report()
if (options.write) writeTable()

async function writeApp() {
  rmSync(join(app, 'app'), { recursive: true, force: true })
  const files = {
    'vite.config.ts': `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
export default defineConfig({ plugins: [waymark()] })
`,
    'app/layout.tsx': `export default ({ children }) => <html><body>{children}</body></html>\n`,
    'app/page.tsx': `export default () => <p>Packages</p>\n`,
    'app/refused.ts': `export const refused = (work: Promise<unknown>) =>
  work.then(() => 'connected', (error) => [error.code, error.message, error.cause?.code, error.cause?.message].join(' '))
`,
    'prisma/schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "../generated/prisma"
}
datasource db {
  provider = "sqlite"
}
model Cat {
  id Int @id
}
`,
  }
  for (const { name, imports, code } of chosen) {
    files[`app/${folderOf(name)}/route.ts`] = `${imports}
import { refused } from '../refused.ts'
export const dynamic = 'force-dynamic'
async function call() {
    ${code}
}
export const GET = async () => {
  void refused
  const value = await call()
  return new Response(typeof value === 'string' ? value : JSON.stringify(value))
}
`
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), text)
  }
}

async function install() {
  if (!existsSync(join(app, 'package.json'))) {
    writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }\n')
  }
  const [waymark] = await packForApps(['waymark'])
  const wanted = new Set(chosen.flatMap(({ name, packages = [name] }) => packages))
  const missing = [...wanted].filter((name) => !existsSync(join(app, 'node_modules', name)))
  const all = ['react', 'react-dom', `file:${waymark}`, ...missing]
  await execute('npm', ['install', '--no-audit', '--no-fund', ...all], app)
  if (!isPrisma) return
  // The client is generated without the engine for migrations, which Prisma would download.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
  await execute('npx', ['prisma', 'generate'], app, env)
}

/**
 * Creates a folder with the build, and with the packages that must be installed according to the
 * build.
 */
function layOutAlone(externals) {
  rmSync(alone, { recursive: true, force: true })
  cpSync(join(app, '.waymark'), join(alone, 'built'), { recursive: true })
  const copied = new Set()
  for (const name of externals) copyInstalled(name, app, copied)
}

/**
 * Copies an installed package with its dependencies, because a new installation would compile it
 * again.
 */
function copyInstalled(name, from, copied) {
  let folder = join(from, 'node_modules', name)
  while (!existsSync(join(folder, 'package.json'))) {
    if (from === app) return
    from = dirname(from)
    folder = join(from, 'node_modules', name)
  }
  if (copied.has(folder)) return
  copied.add(folder)
  const filter = (file) => file === folder || !file.endsWith('/node_modules')
  cpSync(folder, join(alone, folder.slice(app.length)), { recursive: true, filter })
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const needed = { ...manifest.dependencies, ...manifest.optionalDependencies }
  for (const each of Object.keys(needed)) copyInstalled(each, folder, copied)
}

/** @returns for each package name, the text of its failure, or `null` */
async function callAll(args, cwd) {
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: '' }
  const server = spawn(process.execPath, [...args, '--port', `${port}`], { cwd, env })
  let log = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (log += text))
  const origin = `http://localhost:${port}`
  for (let waitedMs = 0; !log.includes(origin); waitedMs += 100) {
    if (waitedMs > 60_000 || server.exitCode !== null) throw new Error(`No server:\n${log}`)
    await sleep(100)
  }
  const failures = new Map()
  for (const { name, shows } of chosen) {
    const start = log.length
    const text = await textOf(`${origin}/${folderOf(name)}`)
    const failure = shows.test(text) ? null : text.slice(0, 200) + log.slice(start).slice(0, 1_500)
    failures.set(name, failure)
    if (failure !== null) console.log(`${args.at(-1)} ${name}: ${failure}`)
  }
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await Promise.race([ended, sleep(10_000).then(() => server.kill('SIGKILL'))])
  return failures
}

async function textOf(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    return response.ok ? await response.text() : `status ${response.status} `
  } catch (error) {
    return `no response: ${error} `
  }
}

function report() {
  for (const { sample, version, results } of rows) {
    const texts = results.map((failure) => (failure === null ? 'works' : 'FAILS'))
    console.log(`${sample.name} ${version}: ${texts.join(', ')}`)
  }
  const works = (index) => rows.filter(({ results }) => results[index] === null).length
  console.log(
    `Of ${rows.length}: ${works(0)} in development, ${works(1)} in production, ${works(2)} alone.`,
  )
}

function writeTable() {
  const date = new Date().toISOString().slice(0, 10)
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/vite/package.json'), 'utf8'))
  const groups = new Set()
  const lines = rows.map(({ sample, version, results, isInstalled }) => {
    const group = groups.has(sample.group) ? '' : sample.group
    groups.add(sample.group)
    const texts = results.map((failure) => (failure === null ? 'works' : 'fails'))
    if (isInstalled) texts[2] += ', installed'
    return `| ${group} | \`${sample.name}\` ${version} | ${texts.join(' | ')} |`
  })
  const table = `{/* The table is written by bench/server-packages/run.mjs. */}

Tried on ${date} with Node ${process.versions.node} and Vite ${version}.

| for | package | development | production | alone |
|---|---|---|---|---|
${lines.join('\n')}

{/* The end of the table. */}`
  const text = readFileSync(page, 'utf8')
  const pattern = /\{\/\* The table is written by [\s\S]*\{\/\* The end of the table\. \*\/\}/
  writeFileSync(
    page,
    text.replace(pattern, () => table),
  )
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8')).version
}

function folderOf(name) {
  return name.replace('@', '').replace('/', '-')
}

async function execute(program, args, cwd, env = process.env) {
  const { exitCode, output } = await run(program, args, { cwd, env, quiet: true })
  if (exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output}`)
}
