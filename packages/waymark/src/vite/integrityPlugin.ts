import type { Plugin } from 'vite'

const preload = 'ReactDOM.preloadModule(href, options)'
const preinit = 'ReactDOM.preinit(href, {'

/**
 * Gives the scripts and styles of client components their hashes: plugin-rsc asks browsers for
 * them while a document is rendered, and has no option for it.
 */
export function integrityPlugin(): Plugin {
  return {
    name: 'waymark:integrity',
    apply: 'build',
    transform: {
      filter: { id: /@vitejs\/plugin-rsc\/dist\/[\w-]+\.js$/, code: preload },
      handler(code) {
        if (!code.includes(preinit)) {
          throw new Error('plugin-rsc asks for styles in another way than waymark() knows.')
        }
        const hashed = code
          .replace(preload, 'ReactDOM.preloadModule(href, { ...options, integrity: hashes[href] })')
          .replace(preinit, `${preinit} integrity: hashes[href],`)
        return {
          code: `import hashes from 'virtual:waymark/integrity'\n${hashed}`,
          map: { mappings: '' },
        }
      },
    },
  }
}
