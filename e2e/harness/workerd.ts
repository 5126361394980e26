import { createRequire } from 'node:module'
import { join } from 'node:path'
import { appEnv } from './appEnv.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** An app in workerd. */
export type WorkerdServer = ServerProcess & { readonly origin: string }

const requireHere = createRequire(import.meta.url)

/**
 * Finds the workerd program for this platform. It is an optional dependency, because each platform
 * has its own package.
 * @throws if there is no program for this platform, or if it is not installed
 */
export function findWorkerd(): string {
  const cpu = process.arch === 'x64' ? '64' : process.arch
  const name = `@cloudflare/workerd-${process.platform}-${cpu}`
  try {
    return requireHere.resolve(`${name}/bin/workerd`)
  } catch (cause) {
    throw new Error(
      `${name} is not installed, so workerd was not tested. Run npm install without --omit=optional. e2e/package.json lists the platforms.`,
      { cause },
    )
  }
}

/**
 * Serves a build's worker on a free port.
 * @param root folder of the built app
 * @param env variables to add to the environment; the worker gets only the variables that its
 * configuration lists
 * @param config path of the configuration, relative to the build's folder
 */
export async function startWorkerd(
  root: string,
  env: Readonly<Record<string, string>> = {},
  config = '.waymark/workerd/config.capnp',
): Promise<WorkerdServer> {
  const server = await startServer({
    program: findWorkerd(),
    args: [
      'serve',
      join(root, config),
      '--directory-path',
      `assets=${join(root, '.waymark/client')}`,
      '--directory-path',
      `pages=${join(root, '.waymark/prerendered')}`,
      '--socket-addr',
      'http=127.0.0.1:0',
      // Make workerd report the port on a file descriptor.
      '--control-fd=1',
    ],
    cwd: root,
    env: appEnv(env),
    listening: '"event":"listen"',
    startWithinMs: 60_000,
  })
  const port = /"port":(\d+)/.exec(server.logs())?.[1]
  if (port === undefined) throw new Error(`workerd did not print its port:\n${server.logs()}`)
  return { ...server, origin: `http://127.0.0.1:${port}` }
}
