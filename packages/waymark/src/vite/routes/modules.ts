import path from 'node:path'
import type { RouteTree } from '../../routing/routeNode.ts'
import { routeFilesOf } from './scan.ts'

/** The module that tells the `rsc` environment of the app's routes. */
export const routesId = 'virtual:waymark/routes'

/** Before the path of a route file: the module that brings it together with its styles. */
export const segmentPrefix = 'virtual:waymark/segment/'

/**
 * Writes the routes module: the tree as one literal, and an import for each file in it.
 * @param appDir absolute, with forward slashes
 */
export function routesModule(tree: RouteTree, appDir: string): string {
  const imports = routeFilesOf(tree).map((file) => {
    const id = segmentPrefix + path.posix.join(appDir, file)
    return `  ${JSON.stringify(file)}: () => import(${JSON.stringify(id)}),\n`
  })
  return `export const tree = ${JSON.stringify(tree)}\nexport const imports = {\n${imports.join('')}}\n`
}

/**
 * Writes the module of one route file: the file itself and the styles it brings along.
 * @param id what `routesModule` imports
 */
export function segmentModule(id: string): string {
  const file = JSON.stringify(id.slice(segmentPrefix.length))
  return `export * as module from ${file}\nexport const styles = import.meta.viteRsc.loadCss(${file})\n`
}
