import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Plugin, parse } from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { routeTypes } from './routeTypes.ts'
import { isRouteFile, routeFilesOf, scanRoutes } from './scanRoutes.ts'

/** Writes the declarations of the app's routes, in the dev server and at each build. */
export function typesPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:types',
    async buildStart() {
      if (this.environment.name !== 'rsc' || this.environment.mode !== 'build') return
      await writeRouteTypes(options())
    },
    configureServer(server) {
      const { logger } = server.config
      const write = () =>
        writeRouteTypes(options()).catch((error) => {
          // The routes' own module reports what is wrong with them.
          logger.warn(`The types of the routes could not be written: ${String(error)}`)
        })
      const update = (file: string) => {
        if (isRouteFile(options().appDir, normalizePath(file))) void write()
      }
      void write()
      for (const event of ['add', 'change', 'unlink']) server.watcher.on(event, update)
    },
  }
}

/** Name of the declarations in the app's root. */
export const routeTypesName = 'waymark-routes.d.ts'

/**
 * Writes the declarations of an app's routes, where the app is in TypeScript and they have
 * changed.
 * @returns the file; `null` for an app without a tsconfig.json
 * @throws as `scanRoutes` does
 */
export async function writeRouteTypes({
  root,
  appDir,
}: Pick<ResolvedOptions, 'root' | 'appDir'>): Promise<string | null> {
  if (!existsSync(path.join(root, 'tsconfig.json'))) return null
  const tree = await scanRoutes(appDir)
  const pages = routeFilesOf(tree).filter((file) => /(?:^|\/)page\.[jt]sx?$/.test(file))
  const withSchema = new Set<string>()
  for (const page of pages) {
    const { module } = await parse(page, await readFile(path.join(appDir, page), 'utf8'))
    const exported = module.staticExports.flatMap(({ entries }) => entries)
    if (exported.some((each) => each.exportName.name === 'searchParams')) withSchema.add(page)
  }
  const appFolder = normalizePath(path.relative(root, appDir))
  const text = routeTypes(tree, appFolder, (file) => withSchema.has(file))
  const file = path.join(root, routeTypesName)
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== text) await writeFile(file, text)
  return file
}
