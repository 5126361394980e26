import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { InlineConfig, ResolvedConfig } from 'vite'
import { frameworkError } from '../shared/errors.ts'
import { pluginName, type WaymarkApi, waymark } from '../vite/plugin.ts'
import type { GivenOptions } from './arguments.ts'

/** An app to be served or built. */
export type Project = {
  readonly root: string
  /** The Vite configuration of the app; `null` when it has none of its own. */
  readonly configFile: string | null
  /** What Vite is started with. */
  readonly config: InlineConfig
}

const configNames = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((end) => `vite.config.${end}`)

/** Finds the app of a command line. An app without a Vite configuration gets `waymark()` alone. */
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
