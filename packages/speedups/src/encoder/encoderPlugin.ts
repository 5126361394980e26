import type { Plugin } from 'vite'
import { sharedReferences } from '../adaptations.ts'

const runtime = '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
const runtimeFile = 'cjs/react-server-dom-webpack-client.browser.production.js'
const copyQuery = '?waymark-speedups-encoder'

/**
 * Bundles React's client runtime twice for browsers. plugin-rsc uses one copy, which decodes page data.
 * Waymark's import of the encoder uses the other copy, in a chunk that loads on the first call to an
 * action. A bundler can't split the runtime, because it is a CommonJS module. Both copies share a table
 * of server references.
 */
export function encoderPlugin(fitting: ReadonlySet<string>): Plugin {
  return {
    name: 'waymark-speedups:encoder',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      order: 'pre',
      filter: { id: new RegExp(`^(?:${runtime}|${sharedReferences})$`) },
      async handler(source, importer) {
        if (source === sharedReferences) return `\0${source}`
        if (!fitting.has('encoder') || importer?.includes('/plugin-rsc/dist/')) return null
        const resolved = await this.resolve(source, importer, { skipSelf: true })
        const file = resolved?.id.replace(/client\.browser\.js$/, runtimeFile)
        return file === undefined ? null : file + copyQuery
      },
    },
    load: {
      filter: { id: new RegExp(`^\0${sharedReferences}$`) },
      handler: () => 'exports.known = new WeakMap()',
    },
  }
}
