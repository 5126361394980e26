import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { InlineConfig, ResolvedConfig } from 'vite'
import { frameworkError } from '../shared/errors.ts'
import { pluginName, type WaymarkApi, waymark } from '../vite/plugin.ts'
import type { GivenOptions } from './commands.ts'

/** An app to serve or build. */
export type Project = {
  readonly root: string
  /** The Vite configuration of the app; `null` when it has none of its own. */
  readonly configFile: string | null
  /** Options for Vite. */
  readonly config: InlineConfig
}

const configNames = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((end) => `vite.config.${end}`)

/** Finds the app of a command line. Without a Vite configuration it gets `waymark()` alone. */
export function findProject(options: GivenOptions): Project {
  const root = resolve(options.folder ?? '.')
  const name = configNames.find((each) => existsSync(join(root, each)))
  const configFile = name === undefined ? null : join(root, name)
  const config: InlineConfig = {
    root,
    configFile: configFile ?? false,
    clearScreen: false,
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(configFile === null ? { plugins: [waymark()] } : {}),
  }
  return { root, configFile, config }
}

/**
 * Finds the plugin in a configuration that Vite has read.
 * @throws `CONFIG_WITHOUT_PLUGIN`
 */
export function pluginApiOf({ plugins }: ResolvedConfig, { configFile }: Project): WaymarkApi {
  const plugin = plugins.find(({ name }) => name === pluginName)
  if (plugin) return plugin.api as WaymarkApi
  throw frameworkError('CONFIG_WITHOUT_PLUGIN', { file: configFile ?? 'vite.config.ts' })
}
