import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'

/** A package whose plugin compiles some imports of an app. */
type PluginPackage = {
  readonly name: string
  /** The function of its entry `vite`. */
  readonly plugin: string
  /** The imports that need it, as they are written. */
  readonly imports: RegExp
  readonly neededFor: string
}

const pluginPackages: readonly PluginPackage[] = [
  {
    name: '@waymark/image',
    plugin: 'images',
    imports: /\?image(?:&avif)?$/,
    neededFor: 'An import that ends with ?image',
  },
  { name: '@waymark/font', plugin: 'fonts', imports: /^@waymark\/font$/, neededFor: 'font()' },
]

/**
 * Loads the plugins of `@waymark/image` and `@waymark/font` from the app. Without such a package, an
 * import that needs it fails with an error that names it. They stand after `packagesPlugin`, which
 * sets anew what is left out of bundles.
 * @param root folder of the app
 */
export async function packagePlugins(root: string): Promise<Plugin[]> {
  const found = pluginPackages.map(async (needed) => {
    const file = findPackage(`${needed.name}/vite`, root)
    if (file === null) return failingImports(needed)
    return (await import(pathToFileURL(file).href))[needed.plugin]() as Plugin
  })
  return Promise.all(found)
}

function failingImports({ name, plugin, imports, neededFor }: PluginPackage): Plugin {
  return {
    name: `waymark:${plugin}`,
    enforce: 'pre',
    resolveId: {
      filter: { id: imports },
      handler(_source, _importer, options) {
        // Vite's search for packages would end without a word.
        if ('scan' in options && options.scan) return null
        throw frameworkError('PACKAGE_NOT_INSTALLED', { name, neededFor })
      },
    },
  }
}

/** The part of `@mdx-js/rollup`'s plugin that compiles. */
type Compiler = {
  config(config: unknown, env: { mode: string }): void
  transform(source: string, id: string): Promise<{ code: string; map: unknown } | undefined>
}

/** What `@mdx-js/rollup` exports. */
type CompilerModule = { default(options: Record<string, unknown>): Compiler }

// Files in which an app maps MDX's elements to components.
const componentsNames = ['tsx', 'ts', 'jsx', 'js'].map((end) => `mdx-components.${end}`)

/**
 * Compiles `.mdx` files with the app's own `@mdx-js/rollup`. It is loaded for the first such file:
 * other apps need not install it.
 */
export function mdxPlugin(options: () => ResolvedOptions): Plugin {
  let compiler: Promise<Compiler> | null = null
  return {
    name: 'waymark:mdx',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^[^./\0]/ },
      handler(id, importer, options) {
        // Paths of tsconfig.json hold for the files that it includes, which can't be these.
        if (!importer?.endsWith('.mdx')) return null
        return this.resolve(id, `${importer}.tsx`, { ...options, skipSelf: true })
      },
    },
    transform: {
      filter: { id: /\.mdx(?:\?|$)/ },
      async handler(source, id) {
        compiler ??= loadCompiler(id, options(), this.environment.config.mode)
        const { transform } = await compiler
        const compiled = await transform(source, id)
        return compiled ? { code: compiled.code, map: compiled.map as never } : null
      },
    },
  }
}

/** @throws `MDX_NOT_INSTALLED` */
async function loadCompiler(
  file: string,
  { root, appDir, mdx }: ResolvedOptions,
  mode: string,
): Promise<Compiler> {
  const entry = findPackage('@mdx-js/rollup', root)
  if (!entry) throw frameworkError('MDX_NOT_INSTALLED', { file: path.relative(root, file) })
  const module: CompilerModule = await import(pathToFileURL(entry).href)
  const compiler = module.default({
    ...mdx,
    providerImportSource: findComponents(path.dirname(appDir)) ?? findComponents(root),
  })
  compiler.config({}, { mode })
  return compiler
}

function findComponents(folder: string): string | undefined {
  return componentsNames.map((name) => path.join(folder, name)).find((file) => existsSync(file))
}
