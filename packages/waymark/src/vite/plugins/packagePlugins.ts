import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { packageHints, packageNotListed } from '../../node/packageHints.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'

const unlistedPrefix = '\0waymark:not-listed/'

/**
 * Refuses imports that only a Waymark package can compile if the app doesn't list that package.
 * Vite would otherwise treat an image, for example, as a plain file.
 */
export function packageHintsPlugin(options: () => ResolvedOptions): Plugin {
  const findUnlisted = (source: string) => {
    const needed = packageHints.imports.find(({ pattern }) => pattern.test(source))
    if (!needed) return null
    return options().packages.some(({ name }) => name === needed.hint.name) ? null : needed
  }
  return {
    name: 'waymark:package-hints',
    enforce: 'pre',
    resolveId: {
      filter: { id: packageHints.imports.map(({ pattern }) => pattern) },
      // Don't throw here, because a plugin that resolves the import for another one would lose the
      // message. `load` throws.
      handler: (source) => (findUnlisted(source) ? unlistedPrefix + source : null),
    },
    load: {
      filter: { id: new RegExp(`^${unlistedPrefix}`) },
      handler(id) {
        const unlisted = findUnlisted(id.slice(unlistedPrefix.length))
        if (!unlisted) return null
        const { neededFor, hint } = unlisted
        throw packageNotListed(neededFor, hint, { isBuilt: false })
      },
    },
  }
}

/** The part of `@mdx-js/rollup`'s plugin that compiles files. */
type Compiler = {
  config(config: unknown, env: { mode: string }): void
  transform(source: string, id: string): Promise<{ code: string; map: unknown } | undefined>
}

/** Exports of `@mdx-js/rollup`. */
type CompilerModule = { default(options: Record<string, unknown>): Compiler }

// Files in which an app maps MDX elements to components.
const componentsNames = ['tsx', 'ts', 'jsx', 'js'].map((end) => `mdx-components.${end}`)

/**
 * Compiles `.mdx` files with the app's own `@mdx-js/rollup`. The compiler is loaded when the first
 * `.mdx` file is compiled, so that apps without such files needn't install it.
 */
export function mdxPlugin(options: () => ResolvedOptions): Plugin {
  let compiler: Promise<Compiler> | null = null
  return {
    name: 'waymark:mdx',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^[^./\0]/ },
      handler(id, importer, options) {
        // The `paths` in tsconfig.json don't apply to .mdx files, so resolve as if the importer
        // were a .tsx file.
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
