import { join, relative } from 'node:path'
import { type InlineConfig, normalizePath, type Plugin, type ResolvedConfig } from 'vite'
import { configNames, findConfigFile } from './configFile.ts'
import { type Project, pluginApiOf } from './project.ts'

export type TerminalOptions = {
  readonly project: Project
  readonly print: (line: string) => void
  /** True if Vite itself prints when it restarts. */
  readonly isVerbose: boolean
  /** Finds the app's Vite configuration again, for a restart. */
  readonly configure: () => InlineConfig
}

/**
 * Creates a plugin that prints a line for each request, and the reason for each restart. It is
 * passed in the command's options, so it remains when Vite reads the configuration again.
 */
export function terminalPlugin(options: TerminalOptions): Plugin {
  const { project, print, isVerbose, configure } = options
  return {
    name: 'waymark:terminal',
    apply: 'serve',
    configResolved(config) {
      pluginApiOf(config, project).printRequest = print
    },
    configureServer(server) {
      const { config, watcher } = server
      const onChange = (event: string, path: string) => {
        const file = normalizePath(path)
        const name = relative(config.root, file)
        if (config.server.hmr === false) return
        if (configNames.includes(name) && usesOtherFile(config)) {
          // Vite restarts by itself for the file of its configuration, also when the file is deleted.
          const isRestarting = config.configFile === file
          Object.assign(config.inlineConfig, configure())
          print(
            `${name} was ${event === 'unlink' ? 'deleted' : 'added'}. Restarting the dev server.`,
          )
          if (!isRestarting) server.restart().catch(() => {})
        } else if (!isVerbose && restartsServer(config, file)) {
          print(`${name} changed. Restarting the dev server.`)
        }
      }
      for (const event of ['add', 'change', 'unlink']) {
        // Run before Vite's own listener, which may restart the server with the current configuration.
        watcher.prependListener(event, (path: string) => onChange(event, path))
      }
    },
  }
}

/** True if another Vite configuration than the current one applies to the app. */
function usesOtherFile({ root, configFile }: ResolvedConfig): boolean {
  const file = findConfigFile(root)
  return (file && normalizePath(file)) !== configFile
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
