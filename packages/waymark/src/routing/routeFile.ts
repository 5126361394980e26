import { frameworkError } from '../shared/errors.ts'
import { type FallbackFile, statuses } from '../shared/statuses.ts'
import { isPrivateFolder, parseSegment, type Segment } from './segment.ts'

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
  readonly segments: readonly Segment[]
  readonly role: Role
}

const rolePattern = new RegExp(`^(${roles.join('|')})\\.(tsx|ts|jsx|js|mdx)$`)

/**
 * Reads a file's path.
 * @param path relative to the app folder, with forward slashes: `(shop)/products/[id]/page.tsx`
 * @returns `null` for a file that takes no part in routing
 * @throws `IGNORED_FILE`; `SEGMENT_NAME` when a folder above a route file has a name that means nothing;
 * `METADATA_FILE_PLACE`
 */
export function parseRouteFile(path: string): RouteFile | null {
  const folders = path.split('/')
  const fileName = folders.pop() ?? ''
  if (folders.some(isPrivateFolder)) return null
  const foreign = findForeignFile(path)
  if (foreign?.isFatal) throw foreign.error
  const kind = metadataFileKind(fileName)
  const role = kind ? 'route' : parseRole(fileName)
  if (role === null) return null
  const segments = folders.map((name, index) =>
    parseSegment(name, `app/${folders.slice(0, index + 1).join('/')}`),
  )
  const file = { path, folders, segments, role }
  return kind ? inFolderOfItsOwn(file, fileName, kind) : file
}

/** Files that the App Router of Next.js knows and this one does not; `isFatal` fails the app. */
const foreignFiles = [
  {
    pattern: /^(?:opengraph-image|twitter-image|icon|apple-icon)\d?\.(?:tsx|ts|jsx|js)$/,
    isFatal: true,
    instead:
      'Return the image from a route handler, and name its URL in the metadata: openGraph.images, or icons.',
  },
  {
    // Not fatal: a component may import it.
    pattern:
      /^(?:favicon\.ico|(?:opengraph-image|twitter-image|icon|apple-icon)\d?\.(?:png|jpe?g|gif|svg|ico|webp))$/,
    isFatal: false,
    instead:
      'Put it into public/, and name its URL in the metadata: icons, or openGraph.images; public/favicon.ico needs no name.',
  },
] as const

/**
 * Finds out whether a file has a meaning for the App Router of Next.js only.
 * @param path relative to the app folder
 */
export function findForeignFile(path: string) {
  const folders = path.split('/')
  const fileName = folders.pop() ?? ''
  if (folders.some(isPrivateFolder)) return null
  const found = foreignFiles.find(({ pattern }) => pattern.test(fileName))
  if (!found) return null
  const { instead, isFatal } = found
  return { isFatal, error: frameworkError('IGNORED_FILE', { file: `app/${path}`, instead }) }
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

/** A kind of file that says something about the app to machines: `sitemap.ts`. */
export type MetadataFileKind = keyof typeof urlNames

/** The last segment of the URL that each kind answers. */
const urlNames = {
  sitemap: 'sitemap.xml',
  robots: 'robots.txt',
  manifest: 'manifest.webmanifest',
} as const

const fileName = /(?:^|\/)(sitemap|robots|manifest)\.(?:ts|js)$/

/**
 * Tells what kind of metadata file a path is.
 * @returns `null` for any other file
 */
export function metadataFileKind(path: string): MetadataFileKind | null {
  return (fileName.exec(path)?.[1] as MetadataFileKind | undefined) ?? null
}

/**
 * The last segment of the URL of a metadata file.
 * @param file relative to the app folder
 * @throws `METADATA_FILE_PLACE` when a kind that belongs to the whole site stands in a folder
 */
export function metadataUrlName(file: string, kind: MetadataFileKind): string {
  // Crawlers look for robots.txt at the root only (RFC 9309 §2.3), and an app has one manifest.
  if (kind !== 'sitemap' && file.includes('/')) {
    throw frameworkError('METADATA_FILE_PLACE', { file: `app/${file}`, kind })
  }
  return urlNames[kind]
}

/** A folder of the app folder. Plain data: a literal can be written from it. */
export type RouteNode = {
  /** Its path below the app folder; empty for the app folder itself. */
  readonly id: string
  readonly segment: Segment
  /** Paths relative to the app folder. */
  readonly files: Readonly<Partial<Record<Role, string>>>
  /** Folders below it, the more specific first; groups and interceptions too, slots not. */
  readonly children: readonly RouteNode[]
  readonly slots: Readonly<Record<string, RouteNode>>
}

/** The app folder. */
export type RouteTree = RouteNode
