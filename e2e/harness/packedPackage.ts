import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect } from 'vitest'
import { root } from '../../scripts/workspace/paths.mjs'
import { run } from '../../scripts/workspace/run.mjs'
import { appEnv } from './appEnv.ts'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/**
 * Packs a package of this repository, as publishing would.
 * @param name its folder in `packages`
 * @param folder where a folder for the tarball is made
 * @returns the tarball
 */
export async function packPackage(name: string, folder: string): Promise<string> {
  const target = join(folder, `packed-${name}`)
  mkdirSync(target)
  await expectRun('npm', ['pack', '--pack-destination', target], join(root, 'packages', name))
  return join(target, readdirSync(target)[0] ?? '')
}

/** Fails when publint has something to say about a tarball. */
export async function expectPublishable(tarball: string): Promise<void> {
  const bytes = readFileSync(tarball)
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg = {} } = await publint({ pack: { tarball: content }, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
}

/**
 * Runs a command that has to succeed, in an environment without the test runner's own names.
 * @returns what it printed
 */
export async function expectRun(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const env = appEnv({
    // What an earlier run fetched is good enough, and spares the registry.
    ...{ npm_config_prefer_offline: 'true', npm_config_audit: 'false' },
    // npm waits for five minutes by itself, longer than any test.
    npm_config_fetch_timeout: '20000',
  })
  const { exitCode, output } = await run(command, args, { cwd, quiet: true, env })
  expect(exitCode, `${command} ${args.join(' ')}:\n${output}`).toBe(0)
  return output
}

/**
 * Serves an app with the packages in its own `node_modules`.
 * @param app its folder
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
    startWithinMs: 30_000,
  })
  return { ...server, origin }
}
