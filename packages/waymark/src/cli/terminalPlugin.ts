import { join, relative } from 'node:path'
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite'
import { configNames } from './configFile.ts'
import { type Project, pluginApiOf } from './project.ts'

export type TerminalOptions = {
  readonly project: Project
  readonly print: (line: string) => void
  /** True if Vite itself prints when it restarts. */
  readonly isVerbose: boolean
}

/**
 * Creates a plugin that prints a line for each request, and the reason for each restart. It is
 * passed in the command's options, so it remains when Vite reads the configuration again.
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
        // Vite only looks for its configuration at startup.
        if (event === 'add' && config.configFile !== file && configNames.includes(name)) {
          print(`${name} was added. Restart the dev server to use it.`)
        } else if (!isVerbose && restartsServer(config, file)) {
          print(`${name} changed. Restarting the dev server.`)
        }
      })
    },
  }
}

/**
 * True if a change to the file restarts the server, because Vite only reads the file at startup.
 * @param file path with slashes, as Vite writes paths on every system
 * @see https://vite.dev/guide/env-and-mode for the names of .env files
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
