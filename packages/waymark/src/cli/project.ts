import { resolve } from 'node:path'
import { loadConfigFromFile, type ResolvedConfig, resolveConfig } from 'vite'
import { frameworkError } from '../shared/errors.ts'
import { type ListedPackage, pluginName, readPackages } from '../vite/config/definePackage.ts'
import type { ResolvedOptions } from '../vite/config/pluginOptions.ts'
import { type WaymarkApi, waymark } from '../vite/waymarkPlugin.ts'
import type { ParsedOptions } from './commandOptions.ts'
import { findConfigFile } from './configFile.ts'

export type Project = ReturnType<typeof findProject>

/** Returns an app's Vite settings. Without a Vite configuration, an app just uses `waymark()`. */
export function findProject({ folder = '.', mode }: ParsedOptions) {
  const root = resolve(folder)
  const configFile = findConfigFile(root)
  return {
    root,
    configFile: configFile ?? (false as const),
    clearScreen: false,
    ...(mode === undefined ? {} : { mode }),
    ...(configFile === undefined ? { plugins: [waymark()] } : {}),
  }
}

/** @throws `CONFIG_WITHOUT_PLUGIN` */
export function pluginApiOf({ plugins }: ResolvedConfig, { configFile }: Project): WaymarkApi {
  const plugin = plugins.find(({ name }) => name === pluginName)
  if (plugin) return plugin.api as WaymarkApi
  throw frameworkError('CONFIG_WITHOUT_PLUGIN', { file: configFile || 'vite.config.ts' })
}

/** Reads the options of `waymark()` without starting a server or building. */
export async function readPluginOptions(options: ParsedOptions): Promise<ResolvedOptions> {
  const project = findProject(options)
  const config = await resolveConfig({ ...project, logLevel: 'warn' }, 'serve')
  return pluginApiOf(config, project).options()
}

/** Finds the packages that a configuration lists, without starting Vite. */
export async function readListedPackages(root: string): Promise<readonly ListedPackage[]> {
  const env = { command: 'build', mode: 'production' } as const
  const loaded = await loadConfigFromFile(env, findConfigFile(root), root, 'silent')
  return readPackages(loaded?.config.plugins ?? [], env)
}
