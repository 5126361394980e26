import { join, relative } from 'node:path'
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite'
import { configNames } from './configFile.ts'
import { type Project, pluginApiOf } from './project.ts'

export type TerminalOptions = {
  readonly project: Project
  readonly print: (line: string) => void
  /** True if Vite prints restarts itself. */
  readonly isVerbose: boolean
}

/**
 * Prints a line for each request, and the reason of a restart. The plugin belongs to the options of the
 * command, so it stays when Vite reads the configuration again.
 */
export function terminalPlugin({ project, print, isVerbose }: TerminalOptions): Plugin {
  return {
    name: 'waymark:terminal',
    apply: 'serve',
    configResolved(config) {
      pluginApiOf(config, project).printRequest = print
    },
    configureServer({ config, watcher }) {
      watcher.on('all', (event, path) => {
        const file = normalizePath(path)
        const name = relative(config.root, file)
        // Vite looks for its configuration only once.
        if (event === 'add' && config.configFile !== file && configNames.includes(name)) {
          print(`${name} is new: start the dev server again to use it.`)
        } else if (!isVerbose && restartsServer(config, file)) {
          print(`${name} changed: the dev server starts again.`)
        }
      })
    },
  }
}

/**
 * True for a file that Vite reads only at its start, so that a change restarts the server.
 * @param file with slashes, as Vite writes paths on every system
 * @see https://vite.dev/guide/env-and-mode the files of the environment
 */
export function restartsServer(
  config: Pick<
    ResolvedConfig,
    'configFile' | 'configFileDependencies' | 'envDir' | 'mode' | 'server'
  >,
  file: string,
): boolean {
  const { configFile, configFileDependencies, envDir, mode, server } = config
  if (server.hmr === false) return false
  const envNames = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
  const envFiles = envDir === false ? [] : envNames.map((name) => normalizePath(join(envDir, name)))
  return [configFile, ...configFileDependencies, ...envFiles].includes(file)
}
