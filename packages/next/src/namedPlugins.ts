import path from 'node:path'
import { runnerImport } from 'vite'

/** A plugin in a configuration, with its options if it has any. */
export type ConfiguredPlugin = {
  readonly plugin: unknown
  /** The options after the plugin in a list such as `['remark-toc', { tight: true }]`. */
  readonly options: readonly unknown[]
}

/**
 * Reads a list of plugins in which a string may name a plugin, as in `['remark-gfm']` or
 * `[['remark-toc', { tight: true }]]`, and imports the named plugins.
 * @param list of a configuration
 * @param context `file`: the configuration's name, for errors
 * @throws Error if a plugin can't be imported
 */
export async function importPlugins(
  list: readonly unknown[],
  context: { readonly root: string; readonly file: string },
): Promise<ConfiguredPlugin[]> {
  const entries = list.map((each) => [each].flat() as unknown[])
  const plugins = entries.map(async ([plugin, ...options]) => {
    if (typeof plugin !== 'string') return { plugin, options }
    return { plugin: await importPlugin(plugin, context), options }
  })
  return Promise.all(plugins)
}

/** True if a list names a plugin by a string. */
export function hasNamedPlugin(list: readonly unknown[]): boolean {
  return list.some((each) => typeof [each].flat()[0] === 'string')
}

async function importPlugin(
  name: string,
  { root, file }: { readonly root: string; readonly file: string },
): Promise<unknown> {
  // Importing from the app's folder resolves the name as in the app's code.
  const importer = path.join(root, 'waymark-plugin.mjs')
  try {
    const { module } = await runnerImport<{ default: unknown }>(importer, {
      root,
      logLevel: 'silent',
      plugins: [
        {
          name: 'next-names:plugin',
          resolveId: (id) => (id === importer ? id : null),
          load: (id) =>
            id === importer ? `export { default } from ${JSON.stringify(name)}` : null,
        },
      ],
    })
    return exportedPlugin(module.default)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} names the plugin ${name}, which can't be loaded: ${why}`, {
      cause: error,
    })
  }
}

/** A plugin that was compiled to CommonJS has its function in `default`. */
function exportedPlugin(exported: unknown): unknown {
  const isObject = typeof exported === 'object' && exported !== null
  return isObject && 'default' in exported ? exported.default : exported
}
