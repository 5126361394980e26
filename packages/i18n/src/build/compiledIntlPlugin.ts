import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

/** Query of the modules of use-intl that this package uses. */
const query = '?waymark-i18n'

const ownFolder = normalizePath(fileURLToPath(new URL('..', import.meta.url)))

/**
 * Gives this package its own instance of use-intl that reads compiled messages, so that no parser of
 * messages runs in browsers and on the server. next-intl in the same app keeps the usual instance.
 */
export function compiledIntlPlugin(): Plugin {
  return {
    name: 'waymark-i18n:use-intl',
    enforce: 'pre',
    configEnvironment: (_, { consumer }) => ({
      optimizeDeps: {
        exclude: ['@waymark/i18n', 'use-intl', 'icu-minify', '@formatjs/fast-memoize'],
      },
      ...(consumer === 'client' ? {} : { resolve: { noExternal: ['use-intl', 'icu-minify'] } }),
    }),
    resolveId: {
      filter: { id: /^(?:use-intl|\.)/ },
      async handler(source, importer, options) {
        if (importer === undefined) return
        const isOwn = importer.startsWith(ownFolder) && source.startsWith('use-intl')
        if (!isOwn && !importer.endsWith(query)) return
        const from = isOwn ? importer : importer.slice(0, -query.length)
        const target =
          source === 'use-intl/format-message' ? 'use-intl/format-message/format-only' : source
        const resolved = await this.resolve(target, from, { ...options, skipSelf: true })
        return resolved && { ...resolved, id: resolved.id + query, external: false }
      },
    },
  }
}
