import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const reactBrowser = normalizePath(
  fileURLToPath(new URL('../../client/reactBrowser.js', import.meta.url)),
)

/**
 * Leads browsers to React's client runtime by `client/reactBrowser.ts`: plugin-rsc's own modules
 * before it hold what only development needs.
 * @see docs/decisions/eager-javascript.md
 */
export function reactBrowserPlugin(): Plugin {
  return {
    name: 'waymark:react-browser',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /\/@vitejs\/plugin-rsc\/dist\/(?:react|core)\/browser\.js$/ },
      handler: () => `export * from ${JSON.stringify(reactBrowser)}`,
    },
  }
}
