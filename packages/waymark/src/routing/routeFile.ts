import { type FallbackFile, statuses } from '../http/statuses.ts'
import { frameworkError } from '../shared/errors.ts'
import { type FolderSegment, isPrivateFolder, parseSegment } from './segment.ts'

const fallbackFiles: readonly FallbackFile[] = Object.values(statuses).flatMap((row) =>
  'file' in row ? row.file : [],
)

export const roles = [
  'layout',
  'template',
  'loading',
  'error',
  'global-error',
  ...fallbackFiles,
  'global-not-found',
  'default',
  'page',
  'route',
] as const

export type Role = (typeof roles)[number]

/** A file in the app folder that matters for routing. */
export type RouteFile = {
  readonly path: string
  /**
   * Names of the folders around the file. A metadata file counts as a folder with a route handler.
   */
  readonly folders: readonly string[]
  readonly segments: readonly FolderSegment[]
  readonly role: Role
}

const rolePattern = new RegExp(`^(${roles.join('|')})\\.(tsx|ts|jsx|js|mdx)$`)

/**
 * Parses the path of a route file.
 *
 * @param path relative to the app folder: `(shop)/products/[id]/page.tsx`
 * @param makesSeveral true for a sitemap with `generateSitemaps`
 * @throws `IMAGE_FILE`, `SEGMENT_NAME`, `METADATA_FILE_PLACE`
 */
export function parseRouteFile(path: string, makesSeveral = false): RouteFile | null {
  const folders = path.split('/')
  const fileName = folders.pop() ?? ''
  if (folders.some(isPrivateFolder)) return null
  const kind = metadataFileKind(fileName)
  const role = kind ? 'route' : parseRole(fileName)
  if (role === null) return null
  // The parent folder's main slot shows `@children/default.tsx`, so treat the file as if it were
  // there.
  if (role === 'default' && folders.at(-1) === '@children') folders.pop()
  const file = { path, folders, segments: parseFolders(folders), role }
  return kind ? inSeparateFolder(file, kind, makesSeveral || kind === 'image') : file
}

/**
 * Parses the path of an image file.
 *
 * @throws the same errors as `parseRouteFile`
 */
export function parseImageFile(path: string): Omit<RouteFile, 'role'> | null {
  const folders = path.split('/').slice(0, -1)
  const image = imageFileOf(path)
  if (image === null || folders.some(isPrivateFolder)) return null
  if (image.kind === 'favicon' && folders.length > 0) return null
  checkImageFile(path, image)
  return { path, folders, segments: parseFolders(folders) }
}

function parseFolders(folders: readonly string[]): FolderSegment[] {
  return folders.map((name, index) =>
    parseSegment(name, `app/${folders.slice(0, index + 1).join('/')}`),
  )
}

export function isRouteFileName(fileName: string): boolean {
  return (
    metadataFileKind(fileName) !== null ||
    imageFileOf(fileName) !== null ||
    parseRole(fileName) !== null
  )
}

// The file gets a URL segment of its own, so that it can't conflict with a folder of the same name.
function inSeparateFolder(
  file: RouteFile,
  kind: MetadataFileKind,
  makesSeveral: boolean,
): RouteFile {
  const fileName = file.path.split('/').at(-1) ?? ''
  const name = urlNameOf(file.path, kind, makesSeveral)
  const below: FolderSegment[] =
    makesSeveral && name !== fileName ? [{ kind: 'dynamic', param: fileParam }] : []
  return {
    ...file,
    folders: [...file.folders, fileName, ...below.map(() => fileParam)],
    segments: [...file.segments, { kind: 'static', name }, ...below],
  }
}

function urlNameOf(path: string, kind: MetadataFileKind, makesSeveral: boolean): string {
  if (kind !== 'image') return makesSeveral ? kind : metadataUrlName(path, kind)
  const image = imageFileOf(path)
  if (image !== null && image.kind !== 'favicon') return imageUrlName(path, image)
  assertAtRoot(path, 'favicon')
  return path
}

// An MDX file exports a component, so it can't be a route handler.
function parseRole(fileName: string): Role | null {
  const match = rolePattern.exec(fileName)
  if (!match) return null
  const role = match[1] as Role
  return role === 'route' && match[2] === 'mdx' ? null : role
}

export type MetadataFileKind = keyof typeof urlNames | 'image'

export type TextFileKind = keyof typeof urlNames

const urlNames = {
  sitemap: 'sitemap.xml',
  robots: 'robots.txt',
  manifest: 'manifest.webmanifest',
} as const

const fileName = /(?:^|\/)(sitemap|robots|manifest)\.(?:ts|js)$/

const textName = /(?:^|\/)((sitemap)\.xml|(robots)\.txt|(manifest)\.(?:json|webmanifest))$/

/** @returns the last URL segment of `robots.txt` and similar files, or `null` for other files */
export function textFileName(path: string): string | null {
  return textName.exec(path)?.[1] ?? null
}

export function metadataFileKind(path: string): MetadataFileKind | null {
  const image = imageFileOf(path)
  // Other image files are assets. The favicon needs a route, because browsers request it by name.
  if (image && (image.type === null || image.kind === 'favicon')) return 'image'
  const [, module] = fileName.exec(path) ?? []
  const [, , ...texts] = textName.exec(path) ?? []
  return ((module ?? texts.find(Boolean)) as TextFileKind | undefined) ?? null
}

/** @throws `METADATA_FILE_PLACE` if a site-wide file is inside a folder */
export function metadataUrlName(file: string, kind: TextFileKind): string {
  if (kind !== 'sitemap') assertAtRoot(file, kind)
  return textFileName(file) ?? urlNames[kind]
}

// Refuses site-wide files outside of the root. Crawlers and browsers only look for them there (RFC
// 9309 §2.3), and an app has only one manifest.
function assertAtRoot(file: string, kind: string): void {
  if (!file.includes('/')) return
  throw frameworkError('METADATA_FILE_PLACE', { file: `app/${file}`, kind })
}

/** A folder as plain data, which can be written as a literal. */
export type RouteNode = {
  readonly id: string
  readonly segment: FolderSegment
  readonly files: Readonly<Partial<Record<Role, string>>>
  /** Images for the folder's pages, as paths relative to the app folder. */
  readonly images?: readonly string[]
  /** Subfolders, most specific first, including groups and interceptions, but not slots. */
  readonly children: readonly RouteNode[]
  readonly slots: Readonly<Record<string, RouteNode>>
}

export type RouteTree = RouteNode

export type ImageFileKind = keyof typeof fileTypes

export type ImageFile = {
  readonly kind: ImageFileKind
  /** Name without extension: `opengraph-image`, or `icon2` if a folder has several icons. */
  readonly name: string
  /** Media type; `null` for a module. */
  readonly type: string | null
}

const fileTypes = {
  favicon: ['ico'],
  icon: ['ico', 'jpg', 'jpeg', 'png', 'svg'],
  'apple-icon': ['jpg', 'jpeg', 'png'],
  'opengraph-image': ['jpg', 'jpeg', 'png', 'gif'],
  'twitter-image': ['jpg', 'jpeg', 'png', 'gif'],
} as const

const mediaTypes: Readonly<Record<string, string>> = {
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** Param with the file's name, for a module that creates several images. */
export const fileParam = '__file'

const pattern =
  /(?:^|\/)((favicon|icon|apple-icon|opengraph-image|twitter-image)\d?)\.(ico|jpe?g|png|svg|gif|webp|avif|tsx?|jsx?)$/

export function imageFileOf(path: string): ImageFile | null {
  const [, name = '', kind = '', extension = ''] = pattern.exec(path) ?? []
  if (name === '' || (kind === 'favicon' && name !== kind)) return null
  const imageKind = kind as ImageFileKind
  if (/^[jt]/.test(extension) && !/^jpe?g$/.test(extension)) {
    return imageKind === 'favicon' ? null : { kind: imageKind, name, type: null }
  }
  return { kind: imageKind, name, type: mediaTypes[extension] ?? `image/${extension}` }
}

/** @throws `IMAGE_FILE` for an image type that browsers or social networks wouldn't show */
export function checkImageFile(path: string, { kind, type }: ImageFile): void {
  const refuse = (reason: string) => frameworkError('IMAGE_FILE', { file: `app/${path}`, reason })
  const types: readonly string[] = fileTypes[kind]
  if (type === null || types.some((extension) => mediaTypes[extension] === type)) return
  throw refuse(`${kind} files must be ${types.join(', ')}. Convert it to one of these`)
}

/**
 * Returns the last static segment of an image's URL. Groups aren't part of a URL, so their names
 * are added to tell images apart.
 */
export function imageUrlName(path: string, { name }: ImageFile): string {
  const groups = path.split('/').filter((folder) => folder.startsWith('('))
  if (groups.length === 0) return name
  return `${name}-${groups.map((group) => group.replace(/\W+/g, '')).join('-')}`
}

/** Builds a file name with an extension, which social networks and file servers rely on. */
export function imageFileName(id: string, contentType: string): string {
  return `${id}.${imageExtension(contentType)}`
}

export function imageExtension(contentType: string): string {
  const types = Object.entries(mediaTypes)
  const [extension = 'png'] = types.find(([, type]) => type === contentType) ?? []
  return extension
}
