import { createServer, type ServerOptions, type ViteDevServer } from 'vite'
import { closeOnSignals } from '../node/shutdown.ts'
import { waymarkVersion } from '../node/version.ts'
import { frameworkError } from '../shared/errors.ts'
import type { Command, GivenOptions } from './arguments.ts'
import { findProject, pluginApiOf } from './project.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'

// A browser's open connections must not keep a dev server alive.
const closeWithinMs = 1_000

/** Serves the app for development. */
export const dev: Command = async ({ options, terminal }) => {
  // React's two builds must not meet, whatever the shell says.
  process.env.NODE_ENV = 'development'
  const project = findProject(options)
  const server = await createServer({
    ...project.config,
    logLevel: options.verbose ? 'info' : 'warn',
    server: givenListenOptions(options),
  })
  const api = pluginApiOf(server.config, project)
  // Vite ends the process on SIGTERM by itself, with 143 unless a code is set: this end is no failure.
  process.exitCode = 0
  await listen(server)
  reportProcessErrors(terminal, { report: () => api.reportOutside })
  closeOnSignals({ close: () => close(server) })
  const [url] = server.resolvedUrls?.local ?? []
  const shown = url?.replace(/\/$/, '') ?? `port ${server.config.server.port}`
  terminal.print(`Waymark ${waymarkVersion()} develops ${terminal.paint.cyan(shown)}`)
  for (const other of server.resolvedUrls?.network ?? []) terminal.print(`  also ${other}`)
  return new Promise<never>(() => {})
}

// What neither the command line nor the environment says is left to the app's configuration.
function givenListenOptions(options: GivenOptions): ServerOptions {
  const { port, host } = listenOptions(options, process.env)
  const isPortGiven = options.port !== undefined || Boolean(process.env.PORT)
  return { ...(isPortGiven ? { port } : {}), ...(host ? { host } : {}) }
}

async function listen(server: ViteDevServer): Promise<void> {
  try {
    await server.listen()
  } catch (error) {
    await server.close()
    // Vite tells it in words only.
    const port = error instanceof Error && /^Port (\d+) is already in use$/.exec(error.message)?.[1]
    throw port ? frameworkError('PORT_TAKEN', { port: Number(port) }) : error
  }
}

async function close(server: ViteDevServer): Promise<{ outcome: 'drained' | 'cut' }> {
  const closed = server.close().then(() => ({ outcome: 'drained' as const }))
  const late = new Promise<{ outcome: 'cut' }>((resolve) => {
    setTimeout(() => resolve({ outcome: 'cut' }), closeWithinMs)
  })
  return Promise.race([closed, late])
}
