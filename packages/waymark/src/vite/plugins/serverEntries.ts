import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { importExpressions, replaceImports } from '../config/importExpressions.ts'
import { findText } from '../config/sourceText.ts'

/** Entries of this package that only servers and their configuration can use. */
const serverEntries = /^waymark\/(?:server|node|vite|testing)$/

// Prefix of the placeholder for a refused entry. Its importers are only known at the end of a
// build.
const refused = '\0waymark:refused/'

/**
 * Refuses imports of server entries in client components' code. In browsers, the functions of these
 * entries would never return. In development, the error appears as a page failure.
 */
export function serverEntriesPlugin(): Plugin {
  let root = ''
  const refuse = (entry: string, importers: readonly string[]) =>
    frameworkError('SERVER_ENTRY_IN_CLIENT', {
      entry,
      importers: importers.map((id) => path.relative(root, id)),
    })
  return {
    name: 'waymark:server-entries',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    applyToEnvironment: ({ name }) => name === 'client' || name === 'ssr',
    resolveId: {
      order: 'pre',
      filter: { id: serverEntries },
      handler(source, importer, options) {
        // Vite's scan for packages to bundle includes server files, so ignore it.
        if (importer === undefined || ('scan' in options && options.scan)) return
        const { environment } = this
        if (environment.mode !== 'dev') return refused + source
        const { moduleGraph } = environment
        const importersOf = (id: string) =>
          [...(moduleGraph.getModuleById(id)?.importers ?? [])].map((each) => each.id)
        const [file = importer] = importer.split('?', 1)
        const error = refuse(source, importChain(importer, importersOf))
        throw Object.assign(error, { id: file, loc: findText(file, source) })
      },
    },
    load: {
      filter: { id: new RegExp(`^${refused}`) },
      // A CommonJS module accepts imports of any name.
      handler: () => 'module.exports = {}',
    },
    buildEnd() {
      for (const id of this.getModuleIds()) {
        if (!id.startsWith(refused)) continue
        const importersOf = (each: string) => this.getModuleInfo(each)?.importers ?? []
        const [first = ''] = importersOf(id)
        throw refuse(id.slice(refused.length), importChain(first, importersOf))
      }
    },
  }
}

/**
 * Allows an `import()` of a server entry, but makes it reject at run time. Shared code may check
 * first where it runs.
 */
export function laterEntriesPlugin(): Plugin {
  return {
    name: 'waymark:later-entries',
    applyToEnvironment: ({ name }) => name === 'client' || name === 'ssr',
    transform: rejectServerImports(serverEntries),
  }
}

/** A `transform` hook of a Vite plugin that runs for modules with an `import()`. */
export type ImportTransform = {
  readonly filter: { readonly code: RegExp }
  /** @returns `null` if the code doesn't change */
  handler(code: string): Promise<{ readonly code: string; readonly map: null } | null>
}

/**
 * Creates a `transform` hook of a Vite plugin. Each `import()` of a matching module becomes a
 * promise that rejects, so that the bundler leaves the module out. Code that both sides share can
 * then import a server module after checking where it runs.
 *
 * @param modules matches module specifiers; must not have the `g` flag
 */
export function rejectServerImports(modules: RegExp): ImportTransform {
  return {
    filter: { code: /\bimport\(/ },
    async handler(code: string) {
      const named = [...code.matchAll(/\bimport\(\s*['"`]([^'"`]+)/g)]
      if (!named.some(([, source = '']) => modules.test(source))) return null
      const later = (await importExpressions(code)).filter(({ source }) => modules.test(source))
      const replaced = replaceImports(code, later, (_, source) => {
        const message = `${source} works only on the server, but it was imported by code that runs in a browser or renders a client component.`
        return `Promise.reject(new Error(${JSON.stringify(message)}))`
      })
      return replaced === null ? null : { code: replaced, map: null }
    },
  }
}

// Maximum number of importers to list. That many are enough to recognize the client component.
const maxImporters = 5

/** Lists the files that lead to an import, starting with its importer. */
export function importChain(
  first: string,
  importersOf: (id: string) => readonly (string | null)[],
): string[] {
  const chain: string[] = []
  for (let id: string | null = first; id !== null && chain.length < maxImporters; ) {
    const file = id.replace(/\?.*$/, '')
    if (file.startsWith('\0') || file.startsWith('virtual:') || chain.includes(file)) break
    chain.push(file)
    id = importersOf(id)[0] ?? null
  }
  return chain
}

/**
 * Refuses imports of Node's modules in the app's client components. Browsers don't have these
 * modules. On the server, data that they read would end up in the HTML.
 */
export function nodeImportsPlugin(): Plugin {
  return {
    name: 'waymark:node-imports',
    // By then, files with 'use server' have become references.
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: { exclude: /\/node_modules\/|\0/ }, code: /\bimport\b/ },
      async handler(code, id) {
        const { root } = this.environment.config
        const file = id.replace(/\?.*$/, '')
        if (!file.startsWith(`${root}/`)) return
        for (const node of this.parse(code).body) {
          if (node.type !== 'ImportDeclaration' || !isBuiltin(node.source.value)) continue
          const source = node.source.value
          // A package may have the same name as a Node module, or a plugin may replace the module,
          // so resolve the import first.
          const resolved = source.startsWith('node:') ? null : await this.resolve(source, file)
          if (resolved && !resolved.external && !resolved.id.includes('browser-external')) continue
          const mistake = { file: path.relative(root, file), source }
          const error = frameworkError('NODE_IN_CLIENT', mistake)
          // In a build, the position would refer to compiled code.
          if (this.environment.mode !== 'dev') throw error
          this.error(error, node.source.start)
        }
      },
    },
  }
}
