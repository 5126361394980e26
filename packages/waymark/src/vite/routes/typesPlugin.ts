import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Plugin, type ViteDevServer } from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { routeTypes } from './routeTypes.ts'
import { isRouteFile, routeFilesOf, scanRoutes } from './scanRoutes.ts'

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

/** Name of the declarations in the app's root. */
export const routeTypesName = 'waymark-routes.d.ts'

const searchParamsExport =
  /^export\s+(?:const|let|function|async function)\s+searchParams\b|^export\s*\{[^}]*\bsearchParams\b/m

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
  const withSchema = await filesWithSchema(appDir, routeFilesOf(tree))
  const appFolder = normalizePath(path.relative(root, appDir))
  const text = routeTypes(tree, appFolder, (file) => withSchema.has(file))
  const file = path.join(root, routeTypesName)
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== text) await writeFile(file, text)
  return file
}

async function filesWithSchema(
  appDir: string,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const pages = files.filter((file) => /(?:^|\/)page\.[jt]sx?$/.test(file))
  const found = await Promise.all(
    pages.map(async (file) => {
      const source = await readFile(path.join(appDir, file), 'utf8')
      return searchParamsExport.test(source) ? file : null
    }),
  )
  return new Set(found.filter((file) => file !== null))
}
