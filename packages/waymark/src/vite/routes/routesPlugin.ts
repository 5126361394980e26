import type { Plugin } from 'vite'
import type { ResolvedOptions } from '../options.ts'
import { routesId, routesModule, segmentModule, segmentPrefix } from './modules.ts'
import { scanRoutes } from './scan.ts'

/** Serves the virtual modules of the routes. */
export function routesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:routes',
    resolveId: {
      filter: { id: /^virtual:waymark\/(?:routes$|segment\/)/ },
      handler: (source) => `\0${source}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark\/(?:routes$|segment\/)/ },
      async handler(id) {
        const source = id.slice(1)
        if (source.startsWith(segmentPrefix)) return segmentModule(source)
        if (source !== routesId) return null
        const { appDir } = options()
        return routesModule(await scanRoutes(appDir), appDir)
      },
    },
  }
}
