/** The compared frameworks: the folders of their apps, and how to install, build and start them. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cliFile, startArgs } from '../lib/fixture.mjs'
import { samplePeak } from '../lib/process.mjs'

const sources = fileURLToPath(new URL('./', import.meta.url))
const pages = fileURLToPath(new URL('../pages/', import.meta.url))
const apps = fileURLToPath(new URL('../dist/peers/', import.meta.url))
const sharedFiles = [
  ...['counter', 'items', 'layout', 'links', 'refresh', 'rows', 'rowTable', 'small', 'start'],
  ...['static', 'toggle'],
].map((name) => `${name}.tsx`)
const sharedModules = ['greeting', 'link', 'lists', 'query'].map((name) => `${name}.ts`)

const astroBin = 'node_modules/astro/bin/astro.mjs'
const nextBin = 'node_modules/next/dist/bin/next'
const routerBin = 'node_modules/@react-router/dev/bin.cjs'
const viteBin = 'node_modules/vite/bin/vite.js'
const local = '127.0.0.1'
const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }

/**
 * `written` are folders that a build, or a dev server, writes; `start` and `dev` are
 * what to pass to node for a port. `clientFile` is the client component that the bench of dev servers
 * edits, if it is not the shared one.
 */
export const frameworks = [
  {
    name: 'Waymark',
    folder: 'waymark',
    build: [cliFile, 'build'],
    start: startArgs,
    dev: (port) => [cliFile, 'dev', '--host', local, '--port', `${port}`],
    written: ['.waymark', 'node_modules'],
  },
  {
    name: 'Waymark, speedups',
    folder: 'waymark-speedups',
    base: 'waymark',
    build: [cliFile, 'build'],
    start: startArgs,
    dev: (port) => [cliFile, 'dev', '--host', local, '--port', `${port}`],
    written: ['.waymark', 'node_modules'],
  },
  {
    name: 'Next',
    folder: 'next',
    build: [nextBin, 'build'],
    start: (port) => [nextBin, 'start', '--hostname', local, '--port', `${port}`],
    dev: (port) => [nextBin, 'dev', '--hostname', local, '--port', `${port}`],
    written: ['.next'],
  },
  {
    name: 'TanStack Start',
    folder: 'tanstack',
    build: [viteBin, 'build'],
    start: (port) => ['server.mjs', `${port}`],
    dev: (port) => [viteBin, 'dev', '--host', local, '--port', `${port}`],
    written: ['dist', '.tanstack', 'node_modules/.vite'],
  },
  {
    name: 'React Router',
    folder: 'react-router',
    build: [routerBin, 'build'],
    start: (port) => ['server.mjs', `${port}`],
    dev: (port) => [routerBin, 'dev', '--host', local, '--port', `${port}`],
    written: ['build', '.react-router', 'node_modules/.vite'],
  },
  {
    name: 'SvelteKit',
    folder: 'sveltekit',
    build: [viteBin, 'build'],
    start: (port) => ['server.mjs', `${port}`],
    dev: (port) => [viteBin, 'dev', '--host', local, '--port', `${port}`],
    written: ['build', '.svelte-kit', 'node_modules/.vite'],
    clientFile: 'src/Counter.svelte',
  },
  {
    name: 'Astro',
    folder: 'astro',
    build: [astroBin, 'build'],
    start: (port) => ['server.mjs', `${port}`],
    dev: (port) => [astroBin, 'dev', '--host', local, '--port', `${port}`],
    written: ['dist', '.astro', 'node_modules/.vite', 'node_modules/.astro'],
  },
].map((each) => ({ ...each, cwd: `${apps}${each.folder}/`, env: quiet }))

/** The frameworks that can request the data of a page again, as some cases of lost clicks need. */
export const withRefresh = frameworks.filter(({ folder }) => folder !== 'astro')

/**
 * Writes the files of an app over the files of its `base`, and installs its packages if they are
 * missing.
 */
export function installApp({ folder, base = '', cwd, written }) {
  for (const name of ['app', 'src', 'shared', ...written]) {
    rmSync(cwd + name, { recursive: true, force: true })
  }
  const isInstalled =
    existsSync(`${cwd}node_modules`) && readText(`${cwd}package.json`) === manifestOf(folder)
  mkdirSync(`${cwd}shared`, { recursive: true })
  if (base !== '') cpSync(sources + base, cwd, { recursive: true })
  cpSync(sources + folder, cwd, { recursive: true })
  for (const file of [...sharedFiles, ...sharedModules]) {
    cpSync(pages + file, `${cwd}shared/${file}`)
  }
  if (isInstalled || isWaymark(folder)) return
  console.log(`Installing ${folder}…`)
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  // Without its manifest, the app is installed again next time.
  if (status !== 0) rmSync(`${cwd}package.json`)
  if (status !== 0) throw new Error(`npm install ended with ${status} in ${cwd}`)
}

/**
 * Builds an app for production.
 * @returns seconds, and the maximum memory of its processes
 */
export async function buildPeer({ name, cwd, build, env }) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, build, {
    cwd,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  const peak = samplePeak(child.pid)
  const code = await new Promise((resolve) => child.once('close', resolve))
  const buildSeconds = Number(((performance.now() - startedAt) / 1000).toFixed(2))
  const peakMb = Math.round(peak.end() / 2 ** 20)
  if (code !== 0) throw new Error(`The build of ${name} failed in ${cwd}:\n${printed}`)
  return { server: name, buildSeconds, peakMb }
}

/** Returns the installed version. */
export function versionOf({ folder, cwd }) {
  const packages = {
    next: 'next',
    tanstack: '@tanstack/react-start',
    'react-router': 'react-router',
    sveltekit: '@sveltejs/kit',
    astro: 'astro',
  }
  const file = isWaymark(folder)
    ? new URL('../../../packages/waymark/package.json', import.meta.url)
    : `${cwd}node_modules/${packages[folder]}/package.json`
  return JSON.parse(readFileSync(file, 'utf8')).version
}

// True if the workspace has installed it.
function isWaymark(folder) {
  return folder.startsWith('waymark')
}

function manifestOf(folder) {
  return readText(`${sources}${folder}/package.json`)
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
