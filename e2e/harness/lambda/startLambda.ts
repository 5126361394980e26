import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appEnv } from '../appEnv.ts'
import { freePort } from '../freePort.ts'
import { type ServerProcess, startServer } from '../serverProcess.ts'

/** A function that is served as on AWS Lambda. */
export type LambdaServer = ServerProcess & { readonly origin: string }

const program = fileURLToPath(new URL('./serve.mjs', import.meta.url))

/**
 * Serves a build's function on a free port.
 * @param root folder of the built app
 * @param env variables for the function, and for `serve.mjs`
 */
export async function startLambda(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<LambdaServer> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: [program, join(root, '.waymark/lambda'), `${port}`],
    cwd: root,
    env: appEnv(env),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}
