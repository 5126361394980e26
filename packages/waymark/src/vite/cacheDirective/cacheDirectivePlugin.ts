import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin, parseAstAsync } from 'vite'
import { nameCachedCalls } from './cachedCalls.ts'
import { wrapDirectives } from './directives.ts'

const runtime = normalizePath(
  fileURLToPath(new URL('../../rsc/cache/cachedByDirective.js', import.meta.url)),
)

// Large, and without a directive.
const ownFiles = `${normalizePath(fileURLToPath(new URL('../../', import.meta.url)))}**`
const bundledFiles = /[\\/]\.vite[\\/]deps/

/**
 * Makes cached functions of what says `'use cache'`, and gives a name to each call of `cached()`
 * at the top level of a module. Names are made of places in the sources: equal sources have equal
 * ones.
 */
export function cacheDirectivePlugin(): Plugin {
  let root = ''
  return {
    name: 'waymark:cache-directive',
    configResolved(config) {
      root = config.root
    },
    transform: {
      filter: {
        id: { exclude: [ownFiles, bundledFiles] },
        code: /['"]use cache['"]|\bcached\b/,
      },
      async handler(code, id) {
        const { name } = this.environment
        if (name === 'ssr') return null
        const ast = await parseAstAsync(code)
        const file = normalizePath(path.relative(root, id.replace(/[?#].*$/, '')))
        const wrapped = wrapDirectives({ code, ast, file, runtime })
        if (wrapped && name === 'client') {
          this.error(
            `${file} says 'use cache', and runs in browsers. Move the function to a file for the server.`,
          )
        }
        if (wrapped) return { code: wrapped.code, map: wrapped.map }
        const named = name === 'rsc' ? nameCachedCalls({ code, ast, file }) : null
        // Columns behind a name are off, in its line alone.
        return named === null ? null : { code: named, map: null }
      },
    },
  }
}
