import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const productionName = 'react-server-dom-webpack-client.browser.production.js'
const encoderQuery = '?waymark-encoder'
const references = 'virtual:waymark/server-references'

/** plugin-rsc's own ways to React's runtime, which hold what only development needs. */
const ownWays = /\/@vitejs\/plugin-rsc\/dist\/(?:react|core)\/browser\.js$/
const reactBrowser = normalizePath(
  fileURLToPath(new URL('../../client/reactBrowser.js', import.meta.url)),
)

// The decoder, and what the app imports, makes the references that arguments may hold.
const ownTable = 'knownServerReferences = new WeakMap()'
const sharedTable = `knownServerReferences = require('${references}').known`

/**
 * Gives browsers the part of React's client runtime that they need, in the shortest way.
 *
 * A bundler keeps a CommonJS module in one piece, and a fifth of this one is its encoder, which
 * only calls of server actions need. For them the module is bundled a second time; both have one
 * table of server references.
 * @see docs/decisions/eager-javascript.md
 */
export function reactClientPlugin(): Plugin {
  return {
    name: 'waymark:react-client',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      order: 'pre',
      async handler(source, importer) {
        if (source === references) return `\0${references}`
        if (source !== '@vitejs/plugin-rsc/react/browser') return null
        if (!/\/client\/actions\/encodeReply\.\w+$/.test(importer ?? '')) return null
        const browser = '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
        const runtime = await this.resolve(browser, importer)
        const file = runtime?.id.replace(/client\.browser\.js$/, `cjs/${productionName}`)
        return file ? file + encoderQuery : null
      },
    },
    load: {
      filter: { id: [new RegExp(`^\0${references}$`), ownWays] },
      handler: (id) =>
        ownWays.test(id)
          ? `export * from ${JSON.stringify(reactBrowser)}`
          : 'exports.known = new WeakMap()',
    },
    transform: {
      filter: { id: /react-server-dom-webpack-client\.browser\.production\.js/ },
      handler(code, id) {
        if (!code.includes(ownTable)) throw new Error(`${id} has no table of server references.`)
        return { code: code.replace(ownTable, sharedTable), map: null }
      },
    },
  }
}
