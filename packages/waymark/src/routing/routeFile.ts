import { frameworkError } from '../shared/errors.ts'
import { type FallbackFile, statuses } from '../shared/statuses.ts'
import { checkImageFile, fileParam, imageFileOf, imageUrlName } from './imageFile.ts'
import { type FolderSegment, isPrivateFolder, parseSegment } from './segment.ts'

const fallbackFiles: readonly FallbackFile[] = Object.values(statuses).flatMap((row) =>
  'file' in row ? row.file : [],
)

/** What files in the app folder are for, in the order in which they are listed. */
export const roles = [
  ...(['layout', 'template', 'loading', 'error', 'global-error'] as const),
  ...fallbackFiles,
  ...(['global-not-found', 'default', 'page', 'route'] as const),
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
  readonly segments: readonly FolderSegment[]
  readonly role: Role
}

const rolePattern = new RegExp(`^(${roles.join('|')})\\.(tsx|ts|jsx|js|mdx)$`)

/**
 * Reads a file's path.
 * @param path relative to the app folder, with forward slashes: `(shop)/products/[id]/page.tsx`
 * @param makesSeveral a sitemap that exports `generateSitemaps`: each has a URL
 * @returns `null` for a file that takes no part in routing
 * @throws `IMAGE_FILE`; `SEGMENT_NAME` when a folder above a route file has a name that means nothing;
 * `METADATA_FILE_PLACE`
 */
export function parseRouteFile(path: string, makesSeveral = false): RouteFile | null {
  const folders = path.split('/')
  const fileName = folders.pop() ?? ''
  if (folders.some(isPrivateFolder)) return null
  const kind = metadataFileKind(fileName)
  const role = kind ? 'route' : parseRole(fileName)
  if (role === null) return null
  const file = { path, folders, segments: parseFolders(folders), role }
  return kind ? inFolderOfItsOwn(file, kind, makesSeveral || kind === 'image') : file
}

/**
 * Reads the path of an image of the pages in a folder.
 * @returns where it stands; `null` for any other file
 * @throws as `parseRouteFile` does
 */
export function parseImageFile(path: string): Omit<RouteFile, 'role'> | null {
  const folders = path.split('/').slice(0, -1)
  const image = imageFileOf(path)
  if (image === null || folders.some(isPrivateFolder)) return null
  checkImageFile(path, image)
  return { path, folders, segments: parseFolders(folders) }
}

function parseFolders(folders: readonly string[]): FolderSegment[] {
  return folders.map((name, index) =>
    parseSegment(name, `app/${folders.slice(0, index + 1).join('/')}`),
  )
}

/** Tells whether a file takes part in routing where its folders allow it. */
export function isRouteFileName(fileName: string): boolean {
  return (
    metadataFileKind(fileName) !== null ||
    imageFileOf(fileName) !== null ||
    parseRole(fileName) !== null
  )
}

// Its URL is below its folder's: no folder beside it can have the name of the file.
function inFolderOfItsOwn(
  file: RouteFile,
  kind: MetadataFileKind,
  makesSeveral: boolean,
): RouteFile {
  const fileName = file.path.split('/').at(-1) ?? ''
  const name = ownUrlName(file.path, kind, makesSeveral)
  const below: FolderSegment[] =
    makesSeveral && name !== fileName ? [{ kind: 'dynamic', param: fileParam }] : []
  return {
    ...file,
    folders: [...file.folders, fileName, ...below.map(() => fileParam)],
    segments: [...file.segments, { kind: 'static', name }, ...below],
  }
}

function ownUrlName(path: string, kind: MetadataFileKind, makesSeveral: boolean): string {
  if (kind !== 'image') return makesSeveral ? kind : metadataUrlName(path, kind)
  const image = imageFileOf(path)
  return image === null || image.kind === 'favicon' ? path : imageUrlName(path, image)
}

// MDX renders, so it can be anything but a route handler.
function parseRole(fileName: string): Role | null {
  const found = rolePattern.exec(fileName)
  if (!found) return null
  const role = found[1] as Role
  return role === 'route' && found[2] === 'mdx' ? null : role
}

/** A kind of file that says something about the app to machines: `sitemap.ts`. */
export type MetadataFileKind = keyof typeof urlNames | 'image'

/** A kind whose content is text. */
export type TextFileKind = keyof typeof urlNames

/** The last segment of the URL of each kind. */
const urlNames = {
  sitemap: 'sitemap.xml',
  robots: 'robots.txt',
  manifest: 'manifest.webmanifest',
} as const

const fileName = /(?:^|\/)(sitemap|robots|manifest)\.(?:ts|js)$/

const textName = /(?:^|\/)((sitemap)\.xml|(robots)\.txt|(manifest)\.(?:json|webmanifest))$/

/**
 * Reads the name of a metadata file that is a text, and no module.
 * @returns its URL's last segment; `null` for any other file
 */
export function textFileName(path: string): string | null {
  return textName.exec(path)?.[1] ?? null
}

/**
 * Tells what kind of metadata file a path is.
 * @returns `null` for any other file
 */
export function metadataFileKind(path: string): MetadataFileKind | null {
  const image = imageFileOf(path)
  // Files other than the one that browsers ask for by its name are assets.
  if (image && (image.type === null || image.kind === 'favicon')) return 'image'
  const [, module] = fileName.exec(path) ?? []
  const [, , ...texts] = textName.exec(path) ?? []
  return ((module ?? texts.find(Boolean)) as TextFileKind | undefined) ?? null
}

/**
 * The last segment of the URL of a metadata file.
 * @param file relative to the app folder
 * @throws `METADATA_FILE_PLACE` when a kind that belongs to the whole site stands in a folder
 */
export function metadataUrlName(file: string, kind: TextFileKind): string {
  // Crawlers look for robots.txt at the root only (RFC 9309 §2.3), and an app has one manifest.
  if (kind !== 'sitemap' && file.includes('/')) {
    throw frameworkError('METADATA_FILE_PLACE', { file: `app/${file}`, kind })
  }
  return textFileName(file) ?? urlNames[kind]
}

/** A folder of the app folder. Plain data: a literal can be written from it. */
export type RouteNode = {
  /** Its path below the app folder; empty for the app folder itself. */
  readonly id: string
  readonly segment: FolderSegment
  /** Paths relative to the app folder. */
  readonly files: Readonly<Partial<Record<Role, string>>>
  /** Images of its pages, in the order of their names; paths relative to the app folder. */
  readonly images?: readonly string[]
  /** Folders below it, the more specific first; groups and interceptions too, slots not. */
  readonly children: readonly RouteNode[]
  readonly slots: Readonly<Record<string, RouteNode>>
}

/** The app folder. */
export type RouteTree = RouteNode
