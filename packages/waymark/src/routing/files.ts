import { type MetadataFileKind, metadataFileKind, metadataUrlName } from './metadataFile.ts'
import { isPrivateFolder, parseSegment, type Segment } from './segment.ts'

/** What a file in the app folder is for, in the order in which it is listed. */
export const roles = [
  'layout',
  'template',
  'loading',
  'error',
  'global-error',
  'not-found',
  'global-not-found',
  'forbidden',
  'unauthorized',
  'default',
  'page',
  'route',
] as const

/** What a file in the app folder is for. */
export type Role = (typeof roles)[number]

/** A file that takes part in routing. */
export type RouteFile = {
  /** Relative to the app folder, with forward slashes. */
  readonly path: string
  /**
   * The folder names down to the file; empty for the app folder itself. A metadata file is a
   * folder of its own, with a route handler in it.
   */
  readonly folders: readonly string[]
  /** One for each of `folders`. */
  readonly segments: readonly Segment[]
  readonly role: Role
}

const rolePattern = new RegExp(`^(${roles.join('|')})\\.(tsx|ts|jsx|js|mdx)$`)

/**
 * Reads a file's path.
 * @param path relative to the app folder, with forward slashes: `(shop)/products/[id]/page.tsx`
 * @returns `null` for a file that takes no part in routing
 * @throws `SEGMENT_NAME` when a folder above a route file has a name that means nothing;
 * `METADATA_FILE_PLACE`
 */
export function parseRouteFile(path: string): RouteFile | null {
  const folders = path.split('/')
  const fileName = folders.pop() ?? ''
  if (folders.some(isPrivateFolder)) return null
  const kind = metadataFileKind(fileName)
  const role = kind ? 'route' : parseRole(fileName)
  if (role === null) return null
  const segments = folders.map((name, index) =>
    parseSegment(name, `app/${folders.slice(0, index + 1).join('/')}`),
  )
  const file = { path, folders, segments, role }
  return kind ? inFolderOfItsOwn(file, fileName, kind) : file
}

/** Tells whether a file takes part in routing where its folders allow it. */
export function isRouteFileName(fileName: string): boolean {
  return metadataFileKind(fileName) !== null || parseRole(fileName) !== null
}

// Its URL is a level below its folder's. No folder beside it can have the name of the file.
function inFolderOfItsOwn(file: RouteFile, fileName: string, kind: MetadataFileKind): RouteFile {
  const segment = { kind: 'static', name: metadataUrlName(file.path, kind) } as const
  return {
    ...file,
    folders: [...file.folders, fileName],
    segments: [...file.segments, segment],
  }
}

// MDX renders, so it can be anything but a route handler.
function parseRole(fileName: string): Role | null {
  const found = rolePattern.exec(fileName)
  if (!found) return null
  const role = found[1] as Role
  return role === 'route' && found[2] === 'mdx' ? null : role
}
