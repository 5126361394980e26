import { existsSync } from 'node:fs'
import path from 'node:path'
import { type EnvironmentModuleNode, normalizePath, type Plugin, type ViteDevServer } from 'vite'
import { listLeaves, listPagePatterns } from '../../routing/routeEntries.ts'
import { metadataFileKind, type RouteTree } from '../../routing/routeFile.ts'
import { type FrameworkError, frameworkError } from '../../shared/errors.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'
import { contentId, isContentFile } from './imageFiles.ts'
import { checkRoutes, isRouteFile, routeFilesOf } from './scanRoutes.ts'
import { createWatchedFiles } from './watchedFiles.ts'

const routeModules = 'virtual:waymark/(?:(?:routes|patterns)$|styles/)'

export function routesPlugin(options: () => ResolvedOptions): Plugin {
  const watched = createWatchedFiles()
  return {
    name: 'waymark:routes',
    ...serveVirtual(routeModules, async (id, { mode, config }) => {
      if (id.startsWith(stylesPrefix)) return stylesModule(id)
      const { appDir } = options()
      const isDev = mode === 'dev'
      const { tree, errors, warnings, files } = await checkRoutes(appDir)
      watched.set(files)
      for (const { message } of warnings) config.logger.warnOnce(message)
      const broken = brokenFiles(errors)
      if (errors[0] && !(isDev && broken)) throw errors[0]
      // Browsers report patterns instead of URLs, for apps that count arrivals.
      if (id.endsWith('/patterns'))
        return `export const patterns = ${JSON.stringify(listPagePatterns(tree))}\n`
      const conflict = findPublicConflict(tree, config.publicDir)
      if (conflict) throw conflict
      return routesModule(tree, { appDir, isDev }, broken)
    }),
    transform: {
      order: 'pre',
      filter: { id: /\.[jt]sx?$/, code: /['"]use client['"]/ },
      handler(code, id) {
        const { appDir } = options()
        if (this.environment.name !== 'rsc' || !isRouteFile(appDir, id)) return
        const file = path.posix.relative(path.posix.dirname(appDir), id)
        const { logger } = this.environment.config
        for (const { message } of clientOptions(file, code)) logger.warnOnce(message)
      },
    },
    configureServer(server) {
      const update = (file: string) => {
        if (isRouteFile(options().appDir, normalizePath(file))) void updateRoutes(server)
      }
      server.watcher.on('add', update)
      server.watcher.on('unlink', update)
      server.watcher.on('change', (file) => {
        if (metadataFileKind(normalizePath(file)) === 'sitemap') update(file)
      })
      server.middlewares.use(watched.checkAfterFailure(server.watcher, () => options().appDir))
    },
  }
}

async function updateRoutes({ environments, config }: ViteDevServer): Promise<void> {
  const { rsc, client } = environments
  const routes = rsc?.moduleGraph.getModuleById(`\0${routesId}`)
  // If the module isn't loaded yet or has failed, the next request loads it.
  if (!rsc || !routes) return
  // Vite would otherwise store the result of a load that has started before this event.
  rsc.moduleGraph.invalidateModule(routes as EnvironmentModuleNode)
  try {
    await rsc.reloadModule(routes as EnvironmentModuleNode)
  } catch (error) {
    config.logger.error(String(error))
  }
  // Open pages fetch their data again, which keeps their state.
  client?.hot.send('rsc:update', { file: routesId })
}

const optionExport =
  /^export const (dynamic|dynamicParams|revalidate|expire|statusDeadlineMs|runtime|preferredRegion|maxDuration|fetchCache)\b(?: = (.+?);?$)?/gm

/**
 * Creates warnings about route options in client files, because the server can't read the exports
 * of these files.
 */
export function clientOptions(file: string, code: string): FrameworkError[] {
  if (!/^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*['"]use client['"]/.test(code)) return []
  return [...code.matchAll(optionExport)].map(([, name = '', value = '…']) => {
    const rule =
      "the server can't read options from a file with 'use client'. Move the option to a server file, such as the layout, or a page that renders this component"
    return frameworkError('SEGMENT_OPTION', { file, name, value, rule })
  })
}

export const routesId = 'virtual:waymark/routes'

/**
 * Prefix of the id of the dev server's module with a route file's styles. The rest is the file's
 * path.
 */
export const stylesPrefix = 'virtual:waymark/styles/'

/**
 * Generates the routes module: the route tree as one literal, and an import for each file in the tree.
 *
 * @param broken files that throw the given error when they're imported
 */
export function routesModule(
  tree: RouteTree,
  { appDir, isDev }: { readonly appDir: string; readonly isDev: boolean },
  broken?: ReadonlyMap<string, FrameworkError> | null,
): string {
  const files = routeFilesOf(tree)
  const imports = files.map((file) => {
    const error = broken?.get(file)
    if (error) return throwLine(file, error)
    return importLine(file, contentId(path.posix.join(appDir, file)))
  })
  const styled = files.filter((file) => !isContentFile(file))
  const styles = styled.map((file) =>
    importLine(file, stylesPrefix + path.posix.join(appDir, file)),
  )
  return [
    `export const tree = ${JSON.stringify(tree)}`,
    `export const imports = {\n${imports.join('')}}`,
    `export const devStyles = {\n${isDev ? styles.join('') : ''}}`,
    '',
  ].join('\n')
}

/** Generates the module with a route file's styles, which exports an element that links them. */
export function stylesModule(id: string): string {
  const file = JSON.stringify(id.slice(stylesPrefix.length))
  return `export const styles = import.meta.viteRsc.loadCss(${file})\n`
}

function importLine(file: string, id: string): string {
  return `  ${JSON.stringify(file)}: () => import(${JSON.stringify(id)}),\n`
}

// Codes of errors that only affect the files that they list. With any other error, all URLs fail,
// because it is unclear which of them are right.
const codesOfFiles: readonly string[] = ['ROUTE_CONFLICT', 'PAGE_BESIDE_ROUTE']

/** Returns the files that the errors are about, or `null` if an error is about the whole app. */
function brokenFiles(errors: readonly FrameworkError[]): Map<string, FrameworkError> | null {
  const broken = new Map<string, FrameworkError>()
  for (const error of errors) {
    if (!codesOfFiles.includes(error.code) || error.files.length === 0) return null
    for (const file of error.files) broken.set(file.replace(/^app\//, ''), error)
  }
  return broken
}

function throwLine(file: string, { name, code, message }: FrameworkError): string {
  const error = JSON.stringify({ name, code, message, stack: '' })
  return `  ${JSON.stringify(file)}: () => Promise.reject(Object.assign(new Error(), ${error})),\n`
}

/** Finds a file in the public folder with the same URL as a metadata file. */
export function findPublicConflict(tree: RouteTree, publicDir: string): FrameworkError | null {
  if (publicDir === '') return null
  for (const { file, place, pattern } of listLeaves(tree)) {
    if (metadataFileKind(file) === null) continue
    // A pattern with params stands for many URLs, of which only one may be a public file's. So
    // compare patterns without params only.
    const names = place.pattern.flatMap((each) => (each.kind === 'static' ? each.name : []))
    if (names.length < place.pattern.length) continue
    if (!existsSync(path.join(publicDir, ...names))) continue
    const files = [`app/${file}`, [path.basename(publicDir), ...names].join('/')]
    return frameworkError('ROUTE_CONFLICT', { url: pattern, files })
  }
  return null
}
