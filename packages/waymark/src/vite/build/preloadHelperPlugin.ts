import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const helper = normalizePath(fileURLToPath(new URL('../../client/preload.js', import.meta.url)))

/** Has `import()` in the browser go through `client/preload.ts` instead of Vite's longer helper. */
export function preloadHelperPlugin(): Plugin {
  return {
    name: 'waymark:preload-helper',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper/ },
      handler: () => `export { preload as __vitePreload } from ${JSON.stringify(helper)}`,
    },
  }
}
