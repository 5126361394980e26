import { setTimeout } from 'node:timers/promises'
import { createServer, type InlineConfig, type ServerOptions, type ViteDevServer } from 'vite'
import { waymarkVersion } from '../node/appPackages.ts'
import { closeOnSignals } from '../node/httpServer.ts'
import { announceLong } from '../vite/internals/fetchPackages.ts'
import type { Command } from './arguments.ts'
import type { ParsedOptions } from './commandOptions.ts'
import { portInUse } from './portInUse.ts'
import { findProject, pluginApiOf } from './project.ts'
import { checkProjectPath } from './projectPath.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'
import { terminalPlugin } from './terminalPlugin.ts'
import { watchInstalls } from './watchInstalls.ts'

// Maximum milliseconds for closing the dev server. Open browser connections must not keep it alive.
const closeWithinMs = 1_000

export const dev: Command = async ({ options, terminal }) => {
  // React's development and production builds must not be mixed, so override the shell's NODE_ENV.
  process.env.NODE_ENV = 'development'
  checkProjectPath(findProject(options).root, 'dev')
  const print = (line: string) => terminal.print(line)
  const isVerbose = options.verbose === true
  const configure = (): InlineConfig => {
    const project = findProject(options)
    const ownPlugin = terminalPlugin({ project, print, isVerbose, configure })
    return {
      ...project,
      ...(isVerbose ? {} : { logLevel: 'warn' }),
      plugins: [...(project.plugins ?? []), ownPlugin],
      server: devListenOptions(options),
    }
  }
  const creating = createServer(configure())
  const server = await announceLong(creating, () => 'Reading the configuration…', print)
  // Read the API from the current configuration, because a restart may create the plugin again.
  const api = () => pluginApiOf(server.config, findProject(options))
  // Stopping the dev server isn't a failure, but Vite would exit with 143 after SIGTERM.
  process.exitCode = 0
  await announceLong(listen(server), () => 'Starting the plugins…', print)
  watchInstalls(server.config.root, () => {
    // As for `.env` and the configuration, `hmr: false` turns restarts off.
    if (server.config.server.hmr === false) return
    print('Installed packages changed. Restarting the dev server.')
    server.restart().catch(() => {})
  })
  reportProcessErrors(terminal, { report: () => api().reportOutside })
  const close = () => Promise.race([server.close(), setTimeout(closeWithinMs)])
  closeOnSignals({ close }, { beforeExit: () => api().closeJournal?.() })
  const [url = `port ${server.config.server.port}`] = server.resolvedUrls?.local ?? []
  print(`Waymark ${waymarkVersion()} dev server: ${terminal.paint.cyan(url.replace(/\/$/, ''))}`)
  for (const other of server.resolvedUrls?.network ?? []) terminal.print(`  also at ${other}`)
  return new Promise<never>(() => {})
}

// Omit options that aren't set, so that the app's configuration decides.
function devListenOptions(options: ParsedOptions): ServerOptions {
  const { port, host } = listenOptions(options, process.env)
  const isPortSet = options.port !== undefined || Boolean(process.env.PORT)
  return { ...(isPortSet ? { port } : {}), ...(host ? { host } : {}) }
}

// Node's error when it can't listen on a port.
type ListenError = NodeJS.ErrnoException & { readonly port?: number }

async function listen(server: ViteDevServer): Promise<void> {
  let refusal: ListenError | undefined
  // Vite's own error has no code, so listen for Node's.
  server.httpServer?.on('error', (error: ListenError) => {
    refusal = error
  })
  try {
    await server.listen()
  } catch (error) {
    await server.close()
    const { code, port } = refusal ?? {}
    const isPortInUse = code === 'EADDRINUSE' && port !== undefined
    throw isPortInUse ? await portInUse(port, server.config.root) : error
  }
}
