import { frameworkError } from '../shared/errors.ts'

export type ImageFileKind = keyof typeof fileTypes

export type ImageFile = {
  readonly kind: ImageFileKind
  /** `opengraph-image`; `icon2` when a folder has several. */
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
  const known = kind as ImageFileKind
  if (/^[jt]/.test(extension) && !/^jpe?g$/.test(extension)) {
    return known === 'favicon' ? null : { kind: known, name, type: null }
  }
  return { kind: known, name, type: mediaTypes[extension] ?? `image/${extension}` }
}

/** @throws `IMAGE_FILE` for an image that nothing would show */
export function checkImageFile(path: string, { kind, type }: ImageFile): void {
  const refuse = (reason: string) => frameworkError('IMAGE_FILE', { file: `app/${path}`, reason })
  const types: readonly string[] = fileTypes[kind]
  if (type === null || types.some((extension) => mediaTypes[extension] === type)) return
  throw refuse(`as ${kind}, it can be ${types.join(', ')}. Convert it to one of these`)
}

/** Last static segment of an image's URL. A group is no part of a URL, so its name is added. */
export function imageUrlName(path: string, { name }: ImageFile): string {
  const groups = path.split('/').filter((folder) => folder.startsWith('('))
  if (groups.length === 0) return name
  return `${name}-${groups.map((group) => group.replace(/\W+/g, '')).join('-')}`
}

/** Social networks and file servers rely on the extension. */
export function imageFileName(id: string, contentType: string): string {
  const types = Object.entries(mediaTypes)
  const [extension = 'png'] = types.find(([, type]) => type === contentType) ?? []
  return `${id}.${extension}`
}
