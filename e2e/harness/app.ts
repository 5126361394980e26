import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appEnv } from './appEnv.ts'
import { type AppFiles, buildApp, copyApp, waymarkCommand } from './appFolder.ts'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** How an app is served: with `waymark dev`, or with `waymark build` and `waymark start`. */
export type Mode = 'dev' | 'production'

/** A running app. */
export type App = ServerProcess & {
  readonly mode: Mode
  /** `http://localhost:PORT` */
  readonly origin: string
  readonly port: number
  /** Root folder of the running copy. */
  readonly root: string
  /**
   * Changes a file of the running copy, to test the dev server.
   * @param file relative to the app's root
   */
  edit(file: string, change: (text: string) => string): void
}

/**
 * Serves a copy of an app. Apps with the same content share one production build.
 * @param options `port` for a fixed port, such as after a restart; `args` for additional arguments
 */
export async function startApp(
  options: AppFiles & {
    readonly mode: Mode
    readonly port?: number
    readonly args?: readonly string[]
  },
): Promise<App> {
  const { mode } = options
  const root = mode === 'production' ? await buildApp(options) : copyApp(options)
  const port = options.port ?? (await freePort())
  const origin = `http://localhost:${port}`
  const command = mode === 'production' ? 'start' : 'dev'
  const server = await startServer({
    args: [waymarkCommand(options.react), command, '--port', String(port), ...(options.args ?? [])],
    cwd: root,
    env: appEnv(options.env),
    listening: origin,
    startWithinMs: 60_000,
  })
  return {
    ...server,
    mode,
    origin,
    port,
    root,
    edit(file, change) {
      const path = join(root, file)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    },
    async stop() {
      await server.stop()
      if (mode === 'dev') rmSync(root, { recursive: true, force: true })
    },
  }
}
