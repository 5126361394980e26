import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appEnv } from '../appEnv.ts'
import { freePort } from '../freePort.ts'
import { type ServerProcess, startServer } from '../serverProcess.ts'

/** An app that is served as on Vercel. */
export type VercelServer = ServerProcess & { readonly origin: string }

const program = fileURLToPath(new URL('./serve.mjs', import.meta.url))

/**
 * Serves a build's `.vercel/output` on a free port.
 * @param root folder of the built app
 * @param env variables for the function
 */
export async function startVercel(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<VercelServer> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: [program, join(root, '.vercel/output'), `${port}`],
    cwd: root,
    env: appEnv(env),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}
