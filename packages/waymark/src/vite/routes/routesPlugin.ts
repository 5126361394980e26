import type { Plugin } from 'vite'
import type { ResolvedOptions } from '../options.ts'
import { routesId, routesModule, stylesModule, stylesPrefix } from './modules.ts'
import { scanRoutes } from './scan.ts'

/** Serves the virtual modules of the routes. */
export function routesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:routes',
    resolveId: {
      filter: { id: /^virtual:waymark\/(?:routes$|styles\/)/ },
      handler: (source) => `\0${source}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark\/(?:routes$|styles\/)/ },
      async handler(id) {
        const source = id.slice(1)
        if (source.startsWith(stylesPrefix)) return stylesModule(source)
        if (source !== routesId) return null
        const { appDir } = options()
        const isDev = this.environment.mode === 'dev'
        return routesModule(await scanRoutes(appDir), { appDir, isDev })
      },
    },
  }
}
