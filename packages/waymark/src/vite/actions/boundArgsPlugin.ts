import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ownRuntime = fileURLToPath(new URL('../../rsc/action/boundArgs.js', import.meta.url))

/**
 * Has inline actions seal what they close over with the app's key ring: plugin-rsc's own runtime
 * knows one key, made anew for every build.
 */
export function boundArgsPlugin(): Plugin {
  return {
    name: 'waymark:bound-args',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /plugin-rsc\/(?:dist\/)?utils\/encryption-runtime(?:\.js)?$/ },
      handler: () => ownRuntime,
    },
  }
}
