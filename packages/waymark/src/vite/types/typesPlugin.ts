import { normalizePath, type Plugin, type ViteDevServer } from 'vite'
import type { ResolvedOptions } from '../options.ts'
import { isRouteFile } from '../routes/scan.ts'
import { writeRouteTypes } from './writeRouteTypes.ts'

/** Keeps the declarations of the app's routes true, in the dev server and at each build. */
export function typesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:types',
    async buildStart() {
      if (this.environment.name !== 'rsc' || this.environment.mode !== 'build') return
      await writeRouteTypes(options())
    },
    configureServer(server) {
      const write = () => void writeOrTell(server, options())
      const update = (file: string) => {
        if (isRouteFile(options().appDir, normalizePath(file))) write()
      }
      write()
      for (const event of ['add', 'change', 'unlink']) server.watcher.on(event, update)
    },
  }
}

async function writeOrTell(
  { config: { logger } }: ViteDevServer,
  options: ResolvedOptions,
): Promise<void> {
  try {
    await writeRouteTypes(options)
  } catch (error) {
    // What is wrong with the routes, their own module says; here it only concerns the types.
    logger.warn(`The types of the routes were not written: ${String(error)}`)
  }
}
