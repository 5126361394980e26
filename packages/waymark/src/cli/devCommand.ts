import { setTimeout } from 'node:timers/promises'
import { createServer, type ServerOptions, type ViteDevServer } from 'vite'
import { closeOnSignals } from '../node/shutdown.ts'
import { waymarkVersion } from '../node/version.ts'
import { frameworkError } from '../shared/errors.ts'
import type { Command } from './arguments.ts'
import type { GivenOptions } from './commands.ts'
import { findProject, pluginApiOf } from './project.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'

// Open connections of browsers must not keep a dev server alive.
const closeWithinMs = 1_000

/** Serves the app for development. */
export const dev: Command = async ({ options, terminal }) => {
  // React's development and production builds must not be mixed, whatever the shell sets.
  process.env.NODE_ENV = 'development'
  const project = findProject(options)
  const server = await createServer({
    ...project,
    logLevel: options.verbose ? 'info' : 'warn',
    server: givenListenOptions(options),
  })
  const api = pluginApiOf(server.config, project)
  // On SIGTERM Vite exits with 143 unless a code is set, but this is not a failure.
  process.exitCode = 0
  await listen(server)
  reportProcessErrors(terminal, { report: () => api.reportOutside })
  closeOnSignals({ close: () => Promise.race([server.close(), setTimeout(closeWithinMs)]) })
  const [url] = server.resolvedUrls?.local ?? []
  const shown = url?.replace(/\/$/, '') ?? `port ${server.config.server.port}`
  terminal.print(`Waymark ${waymarkVersion()} dev server: ${terminal.paint.cyan(shown)}`)
  for (const other of server.resolvedUrls?.network ?? []) terminal.print(`  also at ${other}`)
  return new Promise<never>(() => {})
}

// Without a port or host here, the app's configuration decides.
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
    // Vite has no code for it.
    const port = error instanceof Error && /^Port (\d+) is already in use$/.exec(error.message)?.[1]
    throw port ? frameworkError('PORT_TAKEN', { port: Number(port) }) : error
  }
}
