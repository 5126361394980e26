import { frameworkError } from '../shared/errors.ts'

/** What a picture in the app folder is for. */
export type ImageFileKind = keyof typeof fileTypes

/** A picture in the app folder, or the module that draws it. */
export type ImageFile = {
  readonly kind: ImageFileKind
  /** `opengraph-image`; `icon2`, where a folder has several. */
  readonly name: string
  /** Of what stands in the file itself; `null` for a module. */
  readonly type: string | null
}

/** The types that browsers and social networks show, by the extension. */
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

/** The param that holds a file's name in the URLs of a module that makes several. */
export const fileParam = '__file'

const pattern =
  /(?:^|\/)((favicon|icon|apple-icon|opengraph-image|twitter-image)\d?)\.(ico|jpe?g|png|svg|gif|webp|avif|tsx?|jsx?)$/

/**
 * Reads the name of a file.
 * @returns `null` for a file that is no image of a page
 */
export function imageFileOf(path: string): ImageFile | null {
  const [, name = '', kind = '', extension = ''] = pattern.exec(path) ?? []
  if (name === '' || (kind === 'favicon' && name !== kind)) return null
  const known = kind as ImageFileKind
  if (/^[jt]/.test(extension) && !/^jpe?g$/.test(extension)) {
    return known === 'favicon' ? null : { kind: known, name, type: null }
  }
  return { kind: known, name, type: mediaTypes[extension] ?? `image/${extension}` }
}

/**
 * Refuses an image that nothing would show.
 * @param path relative to the app folder
 * @throws `IMAGE_FILE`
 */
export function checkImageFile(path: string, { kind, type }: ImageFile): void {
  const refuse = (reason: string) => frameworkError('IMAGE_FILE', { file: `app/${path}`, reason })
  if (kind === 'favicon' && path.includes('/')) {
    throw refuse(
      'browsers look for /favicon.ico only. Move it to the root of app/, or name it icon.ico, which is for the pages of a folder',
    )
  }
  const types: readonly string[] = fileTypes[kind]
  if (type === null || types.some((extension) => mediaTypes[extension] === type)) return
  throw refuse(`as ${kind}, it can be ${types.join(', ')}. Convert it to one of these`)
}

/**
 * The last static segment of the URL of what a module draws: images in a group, which has no part
 * in the URL, must not meet those of another group.
 */
export function imageUrlName(path: string, { name }: ImageFile): string {
  const groups = path.split('/').filter((folder) => folder.startsWith('('))
  if (groups.length === 0) return name
  return `${name}-${groups.map((group) => group.replace(/\W+/g, '')).join('-')}`
}

/** The name of an image in its URL; social networks and file servers go by the extension. */
export function imageFileName(id: string, contentType: string): string {
  const types = Object.entries(mediaTypes)
  const [extension = 'png'] = types.find(([, type]) => type === contentType) ?? []
  return `${id}.${extension}`
}
