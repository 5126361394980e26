import { join } from 'node:path'
import { appEnv } from './appEnv.ts'
import { findWorkerd } from './hostPrograms.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** An app in workerd. */
export type WorkerdServer = ServerProcess & { readonly origin: string }

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
