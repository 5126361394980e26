/** The settings of a webpack plugin that Vite can apply. */
type ReadPlugin = {
  readonly define?: Readonly<Record<string, string>>
  readonly ignored?: readonly RegExp[]
}

/** Plugins that need no replacement, because they only concern webpack itself. */
const needless: ReadonlySet<string> = new Set([
  'BundleAnalyzerPlugin',
  'ContextReplacementPlugin',
  'ForkTsCheckerWebpackPlugin',
  'LimitChunkCountPlugin',
  'MiniCssExtractPlugin',
  'NormalModuleReplacementPlugin',
  'PrismaPlugin',
  'ProgressPlugin',
  'SourceMapDevToolPlugin',
  'WatchIgnorePlugin',
])

/** Advice on how to replace webpack plugins, keyed by the plugin's name. */
const ways: Readonly<Record<string, string>> = {
  ContentlayerWebpackPlugin: 'run contentlayer before waymark in the scripts of package.json',
  CopyPlugin: 'put the files into public/, or copy them in a script before the build',
  CopyWebpackPlugin: 'put the files into public/, or copy them in a script before the build',
  ModuleFederationPlugin: 'use @module-federation/vite',
  MonacoWebpackPlugin: "import the editor's workers with ?worker",
  ProvidePlugin: 'import its modules in the files that use them',
  VeliteWebpackPlugin: 'run velite before waymark in the scripts of package.json',
}

/** @returns the settings of a plugin; `null` for an unknown plugin */
export function readPlugin(plugin: unknown): ReadPlugin | null {
  const [options] = argumentsOf(plugin)
  switch (nameOf(plugin)) {
    case 'DefinePlugin':
      return { define: definitions(options) }
    case 'EnvironmentPlugin':
      return { define: environment(options) }
    case 'IgnorePlugin': {
      const { resourceRegExp } = (options ?? {}) as { resourceRegExp?: unknown }
      return resourceRegExp instanceof RegExp ? { ignored: [resourceRegExp] } : null
    }
    default:
      return null
  }
}

/** @returns a note with the replacement; `null` for a plugin that needs no replacement */
export function pluginNote(plugin: unknown): string | null {
  const name = nameOf(plugin)
  if (needless.has(name)) return null
  return `webpack: the plugin ${name} has no effect. Instead, ${ways[name] ?? 'look for a Vite plugin that does the same, and add it to vite.config'}.`
}

function nameOf(plugin: unknown): string {
  const { made, constructor: maker } = (plugin ?? {}) as {
    readonly made?: string
    readonly constructor?: { readonly name: string }
  }
  return made ?? maker?.name ?? String(plugin)
}

function argumentsOf(plugin: unknown): readonly unknown[] {
  return (plugin as { constructorArgs?: readonly unknown[] } | null)?.constructorArgs ?? []
}

function definitions(options: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options ?? {}).flatMap(([name, value]) => {
      const isText = typeof value === 'string'
      const written = isText ? value : JSON.stringify(value)
      return written === undefined ? [] : [[name, written]]
    }),
  )
}

function environment(options: unknown): Record<string, string> {
  const defaults = Array.isArray(options)
    ? Object.fromEntries(options.map((name: string) => [name, undefined]))
    : ((options ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      `process.env.${name}`,
      JSON.stringify(process.env[name] ?? value ?? ''),
    ]),
  )
}
