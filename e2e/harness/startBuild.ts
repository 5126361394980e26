import { appEnv } from './appEnv.ts'
import { waymarkCommand } from './appFolder.ts'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** A server that `waymark start` runs in a separate process. */
export type BuildServer = ServerProcess & { readonly origin: string }

/**
 * Serves a build with `waymark start`.
 * @param root folder of a built app
 * @param args additional arguments of `waymark start`
 */
export async function startBuild(
  root: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<BuildServer> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: [waymarkCommand(), 'start', '--port', `${port}`, ...args],
    cwd: root,
    env: appEnv(env),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}
