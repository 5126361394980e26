import type { Plugin } from 'vite'

const productionName = 'react-server-dom-webpack-client.browser.production.js'
const encoderQuery = '?waymark-encoder'
const references = 'virtual:waymark/server-references'

// The decoder, and what the app imports, makes the references that arguments may hold.
const ownTable = 'knownServerReferences = new WeakMap()'
const sharedTable = `knownServerReferences = require('${references}').known`

/**
 * Cuts React's client runtime in two for browsers: a bundler keeps a CommonJS module in one piece,
 * and its encoder is a fifth of it, which only calls of server actions need. For them the module
 * is bundled a second time; both have one table of server references.
 * @see docs/decisions/eager-javascript.md
 */
export function replyEncoderPlugin(): Plugin {
  return {
    name: 'waymark:reply-encoder',
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
      filter: { id: new RegExp(`^\0${references}$`) },
      handler: () => 'exports.known = new WeakMap()',
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
