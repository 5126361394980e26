import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { publishProblems, typeProblems } from '../../scripts/release/checkTarball.mjs'
import { tarballName } from '../../scripts/workspace/packForApps.mjs'
import { root } from '../../scripts/workspace/paths.mjs'
import { run } from '../../scripts/workspace/run.mjs'
import { appEnv } from './appEnv.ts'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/**
 * Packs packages of this repository, as for publishing.
 * @param names folder names in `packages`
 * @param folder parent of the folder that is created for the tarballs
 * @returns paths of the tarballs, by folder name
 */
export async function packPackages<Name extends string>(
  names: readonly Name[],
  folder: string,
): Promise<Record<Name, string>> {
  const target = join(folder, 'packed')
  mkdirSync(target)
  const chosen = names.map((name) => `--workspace=packages/${name}`)
  await expectRun('npm', ['pack', '--pack-destination', target, ...chosen], root)
  const tarballs = names.map((name) => [name, join(target, tarballName(name))])
  return Object.fromEntries(tarballs)
}

/** Fails if publint finds a problem in a tarball. */
export async function expectPublishable(tarball: string): Promise<void> {
  expect(await publishProblems(tarball)).toEqual([])
}

/**
 * Fails if TypeScript finds no types, or wrong types, for an ES module that imports one of a
 * tarball's entries.
 */
export async function expectTypes(tarball: string): Promise<void> {
  expect(await typeProblems(tarball)).toEqual([])
}

/**
 * Runs a command that must succeed, without the test runner's environment variables.
 * @returns the command's output
 */
export async function expectRun(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const env = appEnv({
    // Use packages from npm's cache without asking the registry.
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    // Set a short timeout, because npm's default of five minutes is longer than any test.
    npm_config_fetch_timeout: '20000',
  })
  const { exitCode, output } = await run(command, args, { cwd, quiet: true, env })
  expect(exitCode, `${command} ${args.join(' ')}:\n${output}`).toBe(0)
  return output
}

/**
 * Serves an app that has the packages installed in its own `node_modules`.
 * @param app folder of the app
 */
export async function serveInstalled(
  app: string,
  command: 'dev' | 'start',
): Promise<ServerProcess & { readonly origin: string }> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: [join(app, 'node_modules/waymark/bin/waymark.js'), command, '--port', String(port)],
    cwd: app,
    env: appEnv(),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}
