import { normalizePath, type Plugin } from 'vite'
import type { ResolvedOptions } from './options.ts'
import { routesModule, scanRoutes, segmentModule, segmentModulePrefix } from './routes.ts'

const routesId = 'virtual:waymark/routes'

/** Serves the virtual modules of the routes, and keeps them true while files come and go. */
export function routesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:routes',
    resolveId(source) {
      return source === routesId || source.startsWith(segmentModulePrefix) ? `\0${source}` : null
    },
    async load(id) {
      if (id === `\0${routesId}`) {
        const { appDir } = options()
        return routesModule(await scanRoutes(appDir), normalizePath(appDir))
      }
      return id.startsWith(`\0${segmentModulePrefix}`) ? segmentModule(id.slice(1)) : null
    },
  }
}
