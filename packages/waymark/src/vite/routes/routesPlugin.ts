import { type EnvironmentModuleNode, normalizePath, type Plugin, type ViteDevServer } from 'vite'
import type { ResolvedOptions } from '../options.ts'
import { routesId, routesModule, stylesModule, stylesPrefix } from './modules.ts'
import { findPublicConflict } from './publicConflict.ts'
import { isRouteFile, scanRoutes } from './scan.ts'

/** Serves the virtual modules of the routes, and keeps them true while files come and go. */
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
        const { mode, config } = this.environment
        const tree = await scanRoutes(appDir)
        const conflict = findPublicConflict(tree, config.publicDir)
        if (conflict) throw conflict
        return routesModule(tree, { appDir, isDev: mode === 'dev' })
      },
    },
    configureServer(server) {
      const update = (file: string) => {
        if (isRouteFile(options().appDir, normalizePath(file))) void updateRoutes(server)
      }
      server.watcher.on('add', update)
      server.watcher.on('unlink', update)
    },
  }
}

async function updateRoutes({ environments, config }: ViteDevServer): Promise<void> {
  const { rsc, client } = environments
  const routes = rsc?.moduleGraph.getModuleById(`\0${routesId}`)
  // Not asked for yet, or it could not be made: the next request makes it.
  if (!rsc || !routes) return
  try {
    await rsc.reloadModule(routes as EnvironmentModuleNode)
  } catch (error) {
    config.logger.error(String(error))
  }
  // Pages that are open fetch their data again, and keep their state.
  client?.hot.send('rsc:update', { file: routesId })
}
