/** Builds and starts an app with the framework's command line. */
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The app whose pages the floors also render. */
export const fixtureDir = fileURLToPath(new URL('../app-fixture/', import.meta.url))

/** The command line's file. `BENCH_CLI` names another one, to compare two versions. */
export const cliFile =
  process.env.BENCH_CLI ??
  fileURLToPath(new URL('../../../packages/waymark/dist/cli/main.js', import.meta.url))

/** Returns the command line of another checkout of the framework, and its copy of the app. */
export const cliOf = (checkout) => resolve(checkout, 'packages/waymark/dist/cli/main.js')
export function fixtureOf(checkout) {
  const folder = resolve(checkout, 'research/bench/app-fixture')
  // Until November 2026, the measurements were in `bench/`.
  return existsSync(folder) ? folder : resolve(checkout, 'bench/app-fixture')
}

/** Returns the arguments for node that start the app in the current folder on a port. */
export function startArgs(port) {
  return [cliFile, 'start', '--port', String(port)]
}

/**
 * Builds the app of a folder. Its cache is empty afterwards, so that entries of another bench are not
 * found.
 * @param watch gets the process id as soon as the build runs
 * @param cli the command line of another checkout
 * @throws with the output of the command if the build fails
 */
export async function buildApp(cwd, watch = () => {}, cli = cliFile) {
  rmSync(join(cwd, '.waymark/cache'), { recursive: true, force: true })
  const child = spawn(process.execPath, [cli, 'build'], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  watch(child.pid)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`waymark build failed in ${cwd}:\n${printed}`)
}
