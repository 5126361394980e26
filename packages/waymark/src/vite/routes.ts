import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath } from 'vite'
import type { RouteTree } from '../routing/routeNode.ts'
import { buildRouteTree } from '../routing/tree.ts'

/**
 * Lists the files of the app folder, as paths relative to it with forward slashes, sorted.
 * @param appDir absolute
 */
export async function scanAppFiles(appDir: string): Promise<string[]> {
  const entries = await readdir(appDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => normalizePath(path.relative(appDir, path.join(entry.parentPath, entry.name))))
    .sort()
}

/**
 * Writes the routes module: the tree as one literal, and an import for each file in it.
 * @param appDir absolute, with forward slashes
 */
export function routesModule(tree: RouteTree, appDir: string): string {
  const imports = filesOf(tree).map(
    (file) => `  ${JSON.stringify(file)}: () => import(${JSON.stringify(segmentModuleId(appDir, file))}),`,
  )
  return `export const tree = ${JSON.stringify(tree)}\nexport const imports = {\n${imports.join('\n')}\n}\n`
}

export const segmentModulePrefix = 'virtual:waymark/segment/'

function segmentModuleId(appDir: string, file: string): string {
  return segmentModulePrefix + path.posix.join(appDir, file)
}

/**
 * Writes the module of one route file: the file itself and the styles it brings along.
 * @param id what `routesModule` imports
 */
export function segmentModule(id: string): string {
  const file = JSON.stringify(id.slice(segmentModulePrefix.length))
  return `export * as module from ${file}\nexport const styles = import.meta.viteRsc.loadCss(${file})\n`
}

/**
 * Builds the route tree of an app folder.
 * @throws FrameworkError for files that contradict each other
 */
export async function scanRoutes(appDir: string): Promise<RouteTree> {
  return buildRouteTree(await scanAppFiles(appDir))
}

function filesOf(tree: RouteTree): string[] {
  const files = new Set<string>()
  const visit = (node: RouteTree): void => {
    for (const file of Object.values(node.files)) files.add(file)
    node.children.forEach(visit)
    Object.values(node.slots).forEach(visit)
  }
  visit(tree)
  return [...files]
}
