import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ResolvedConfig, resolveConfig } from 'vite'
import { frameworkError } from '../shared/errors.ts'
import type { ResolvedOptions } from '../vite/config/pluginOptions.ts'
import { pluginName, type WaymarkApi, waymark } from '../vite/plugin.ts'
import type { GivenOptions } from './commandOptions.ts'

export type Project = ReturnType<typeof findProject>

export const configNames = 'js mjs ts cjs mts cts'.split(' ').map((end) => `vite.config.${end}`)

/** Without a Vite configuration the app gets `waymark()` alone. */
export function findProject({ folder = '.', mode }: GivenOptions) {
  const root = resolve(folder)
  const configFile = configNames.map((name) => join(root, name)).find(existsSync)
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

/** Needs neither a server nor a build. */
export async function readPluginOptions(options: GivenOptions): Promise<ResolvedOptions> {
  const project = findProject(options)
  const config = await resolveConfig({ ...project, logLevel: 'warn' }, 'serve')
  return pluginApiOf(config, project).options()
}
