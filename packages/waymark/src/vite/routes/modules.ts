import path from 'node:path'
import type { RouteTree } from '../../routing/routeNode.ts'
import { routeFilesOf } from './scan.ts'

/** The module that tells the `rsc` environment of the app's routes. */
export const routesId = 'virtual:waymark/routes'

/** Before the path of a route file: the module of its styles, in the dev server. */
export const stylesPrefix = 'virtual:waymark/styles/'

/**
 * Writes the routes module: the tree as one literal, and imports for each file in it.
 * @param appDir absolute, with forward slashes
 * @param isDev in the dev server, styles are found when they are asked for; a build lists them
 */
export function routesModule(
  tree: RouteTree,
  { appDir, isDev }: { readonly appDir: string; readonly isDev: boolean },
): string {
  const files = routeFilesOf(tree)
  const imports = files.map((file) => importLine(file, path.posix.join(appDir, file)))
  const styles = files.map((file) => importLine(file, stylesPrefix + path.posix.join(appDir, file)))
  return [
    `export const tree = ${JSON.stringify(tree)}`,
    `export const imports = {\n${imports.join('')}}`,
    `export const foundStyles = {\n${isDev ? styles.join('') : ''}}`,
    '',
  ].join('\n')
}

/**
 * Writes the module of a route file's styles: an element that links those it imports.
 * @param id what `routesModule` imports
 */
export function stylesModule(id: string): string {
  const file = JSON.stringify(id.slice(stylesPrefix.length))
  return `export const styles = import.meta.viteRsc.loadCss(${file})\n`
}

function importLine(file: string, id: string): string {
  return `  ${JSON.stringify(file)}: () => import(${JSON.stringify(id)}),\n`
}
