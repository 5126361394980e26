import { statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RouteTree } from '../../routing/routeFile.ts'
import { buildLayout, type MeasuredRoute, type RouteSizes } from '../../shared/buildManifest.ts'
import type { PrerenderOutcome } from '../prerender/messages.ts'
import type { BundledApp } from './bundledApp.ts'
import { listFrameworkScripts, listPageScripts } from './clientScripts.ts'

/**
 * Measures what a browser loads for each page.
 * @returns by page file, relative to the app folder
 */
export function measureRoutes(
  tree: RouteTree,
  app: BundledApp,
  { routes, files }: Pick<PrerenderOutcome, 'routes' | 'files'>,
): Map<string, RouteSizes> {
  const { base } = app.builder.config
  const sizeOf = createSizeOf(app.options.buildDir)
  const scriptSize = (url: string) =>
    sizeOf(path.posix.join(buildLayout.client, url.startsWith(base) ? url.slice(base.length) : url))
  const scripts = listPageScripts(tree, app)
  const shared = sharedScripts([...scripts.values()], listFrameworkScripts(app))
  const sizes = new Map<string, RouteSizes>()
  for (const { file, pathnames } of routes) {
    const urls = [...(scripts.get(file) ?? [])]
    const sum = (some: readonly string[]) => some.reduce((bytes, url) => bytes + scriptSize(url), 0)
    const documents = pathnames.flatMap((pathname) => files[pathname]?.file ?? [])
    sizes.set(file, {
      ownJs: sum(urls.filter((url) => !shared.has(url))),
      sharedJs: sum(urls.filter((url) => shared.has(url))),
      html: documents.length === 0 ? null : Math.max(...documents.map(sizeOf)),
    })
  }
  return sizes
}

/** Lists what several pages load, and what belongs to the framework. */
export function sharedScripts(
  pages: readonly ReadonlySet<string>[],
  framework: ReadonlySet<string>,
): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set(framework)
  for (const urls of pages) for (const url of urls) (seen.has(url) ? shared : seen).add(url)
  return shared
}

/** Measures files, compressed where they are stored so. */
function createSizeOf(buildDir: string): (file: string) => number {
  const sizes = new Map<string, number>()
  return (name) => {
    const known = sizes.get(name)
    if (known !== undefined) return known
    const file = path.join(buildDir, name)
    const stats = [`${file}.br`, file].map((each) => statSync(each, { throwIfNoEntry: false }))
    const size = stats.find((stat) => stat !== undefined)?.size ?? 0
    sizes.set(name, size)
    return size
  }
}

/**
 * Stores the routes of a build for the next to compare.
 * @returns those of the build before; `null` when there was none
 */
export async function replaceMeasured(
  buildDir: string,
  routes: readonly MeasuredRoute[],
): Promise<readonly MeasuredRoute[] | null> {
  const file = path.join(buildDir, buildLayout.sizes)
  const before = await readMeasured(file)
  const measured = routes.map(({ pattern, file, sizes }) => ({ pattern, file, sizes }))
  await writeFile(file, `${JSON.stringify({ version: 1, routes: measured })}\n`)
  return before
}

async function readMeasured(file: string): Promise<readonly MeasuredRoute[] | null> {
  try {
    const { version, routes } = JSON.parse(await readFile(file, 'utf8'))
    return version === 1 ? routes : null
  } catch {
    // The first build, or a file that was cut: there is nothing to compare.
    return null
  }
}
