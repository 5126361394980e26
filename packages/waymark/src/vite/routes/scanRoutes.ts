import { type Dirent, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath } from 'vite'
import { type ListedRoute, listRoutes } from '../../routing/routeEntries.ts'
import { isRouteFileName, metadataFileKind, type RouteTree } from '../../routing/routeFile.ts'
import { checkRouteFiles } from '../../routing/routeTree.ts'
import { type FrameworkError, frameworkError } from '../../shared/errors.ts'

/**
 * Builds an app folder's route tree.
 * @param appDir absolute path
 * @throws `NO_APP_FOLDER`, or a different `FrameworkError` if files conflict
 */
export async function scanRoutes(appDir: string): Promise<RouteTree> {
  const { tree, errors } = await checkRoutes(appDir)
  if (errors[0]) throw errors[0]
  return tree
}

export async function checkRoutes(appDir: string) {
  const files = await listAppFiles(appDir)
  const sitemaps = files.filter((file) => metadataFileKind(file) === 'sitemap')
  const several = sitemaps.filter((file) => hasSeveralSitemaps(path.join(appDir, file)))
  return { ...checkRouteFiles(files, new Set(several)), files }
}

const exportsSitemaps =
  /\bexport\s+(?:async\s+)?(?:function|const)\s+generateSitemaps\b|\bexport\s*\{[^}]*\bgenerateSitemaps\b/

function hasSeveralSitemaps(file: string): boolean {
  try {
    return exportsSitemaps.test(readFileSync(file, 'utf8'))
  } catch (error) {
    // The file has been deleted since its folder was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Lists the routes of an app folder, most specific first. */
export async function listAppRoutes(
  appDir: string,
): Promise<{ listed: ListedRoute[]; warnings: readonly FrameworkError[] }> {
  const { tree, errors, warnings } = await checkRoutes(appDir)
  if (errors[0]) throw errors[0]
  return { listed: listRoutes(tree), warnings }
}

export function routeFilesOf(tree: RouteTree): string[] {
  const files = new Set<string>()
  const visit = (node: RouteTree): void => {
    for (const file of [...Object.values(node.files), ...(node.images ?? [])]) files.add(file)
    node.children.forEach(visit)
    Object.values(node.slots).forEach(visit)
  }
  visit(tree)
  return [...files]
}

/** True if a module may be one of a route's files. */
export function isRouteFile(appDir: string, id: string): boolean {
  return id.startsWith(`${appDir}/`) && isRouteFileName(path.posix.basename(id))
}

/** Lists the files in an app folder, by paths relative to it. */
export async function listAppFiles(appDir: string): Promise<string[]> {
  const entries = await readEntries(appDir)
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => normalizePath(path.relative(appDir, path.join(entry.parentPath, entry.name))))
}

// Folders that may be deleted while the app folder is read. More of them look like a lasting error.
const maxDeletions = 20

async function readEntries(appDir: string, deletions = 0): Promise<Dirent[]> {
  try {
    return await readdir(appDir, { recursive: true, withFileTypes: true })
  } catch (error) {
    const { code, path: missing } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    const isInside = missing !== undefined && path.resolve(missing) !== path.resolve(appDir)
    // A folder inside the app folder was deleted during the read, so read again.
    if (isInside && deletions < maxDeletions) return readEntries(appDir, deletions + 1)
    throw frameworkError('NO_APP_FOLDER', { folder: appDir })
  }
}
