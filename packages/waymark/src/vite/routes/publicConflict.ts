import { existsSync } from 'node:fs'
import path from 'node:path'
import { listLeaves } from '../../routing/list.ts'
import { metadataFileKind } from '../../routing/metadataFile.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import { type FrameworkError, frameworkError } from '../../shared/errors.ts'

/**
 * Finds a file of the public folder at whose URL a metadata file answers.
 * @param publicDir absolute; empty where the app has none
 */
export function findPublicConflict(tree: RouteTree, publicDir: string): FrameworkError | null {
  if (publicDir === '') return null
  for (const { file, place, pattern } of listLeaves(tree)) {
    if (metadataFileKind(file) === null) continue
    // A URL with a param is many, of which a public file may well be one.
    const names = place.pattern.flatMap((each) => (each.kind === 'static' ? each.name : []))
    if (names.length < place.pattern.length) continue
    if (!existsSync(path.join(publicDir, ...names))) continue
    const files = [`app/${file}`, [path.basename(publicDir), ...names].join('/')]
    return frameworkError('ROUTE_CONFLICT', { url: pattern, files })
  }
  return null
}
