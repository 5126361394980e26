import { metadataFileKind, metadataUrlName } from './metadataFile.ts'
import type { RouteTree } from './routeNode.ts'

/**
 * The URL of the app's web app manifest.
 * @returns `null` when no file makes one
 */
export function manifestHref({ children }: RouteTree): string | null {
  const files = children.flatMap((node) => node.files.route ?? [])
  const file = files.find((each) => metadataFileKind(each) === 'manifest')
  return file === undefined ? null : `/${metadataUrlName(file, 'manifest')}`
}
