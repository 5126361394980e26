import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import {
  createLogger,
  createServer,
  type Logger,
  type ServerOptions,
  type ViteDevServer,
} from 'vite'
import { waymarkVersion } from '../node/appPackages.ts'
import { closeOnSignals } from '../node/httpServer.ts'
import { frameworkError } from '../shared/errors.ts'
import { announceLong } from '../vite/inside/fetchPackages.ts'
import type { Command } from './arguments.ts'
import type { GivenOptions } from './commandOptions.ts'
import { configNames } from './configFile.ts'
import { findProject, pluginApiOf } from './project.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'

// Open browser connections must not keep the dev server alive.
const closeWithinMs = 1_000

export const dev: Command = async ({ options, terminal }) => {
  // React's development and production builds must not be mixed, whatever the shell sets.
  process.env.NODE_ENV = 'development'
  const project = findProject(options)
  const print = (line: string) => terminal.print(line)
  const creating = createServer({
    ...project,
    ...(options.verbose ? {} : { customLogger: quietLogger(print) }),
    server: givenListenOptions(options),
  })
  const server = await announceLong(creating, () => 'Reading the configuration…', print)
  const api = pluginApiOf(server.config, project)
  // Vite would exit with 143 after SIGTERM, which is no failure.
  process.exitCode = 0
  await announceLong(listen(server), () => 'Starting the plugins…', print)
  reportProcessErrors(terminal, { report: () => api.reportOutside })
  const close = () => Promise.race([server.close(), setTimeout(closeWithinMs)])
  closeOnSignals({ close }, { beforeExit: () => api.closeJournal?.() })
  // Vite looks for its configuration only once.
  server.watcher.on('add', (file) => {
    const name = relative(project.root, file)
    if (configNames.includes(name)) print(`${name} is new: start the dev server again to use it.`)
  })
  const [url = `port ${server.config.server.port}`] = server.resolvedUrls?.local ?? []
  print(`Waymark ${waymarkVersion()} dev server: ${terminal.paint.cyan(url.replace(/\/$/, ''))}`)
  for (const other of server.resolvedUrls?.network ?? []) terminal.print(`  also at ${other}`)
  return new Promise<never>(() => {})
}

const restarting = /^(?<file>.*) changed, restarting server/

// As `requestLine` of vite/dev/devLog.ts writes it.
const ofRequest = /^[A-Z]+ \S+ \d{3} in \d+ ms/

/** Vite's logger, reduced to warnings, the reason of a restart, and a line for each request. */
function quietLogger(print: (line: string) => void): Logger {
  return {
    ...createLogger('warn'),
    info(message) {
      const text = stripVTControlCharacters(message)
      const file = restarting.exec(text)?.groups?.file
      if (file) print(`${file} changed: the dev server starts again.`)
      else if (ofRequest.test(text)) print(text)
    },
  }
}

// Undefined options leave the choice to the app's configuration.
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
    // Vite's error has no code.
    const port = error instanceof Error && /^Port (\d+) is already in use$/.exec(error.message)?.[1]
    throw port ? frameworkError('PORT_TAKEN', { port: Number(port) }) : error
  }
}
