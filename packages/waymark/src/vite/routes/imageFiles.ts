import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import {
  type ImageFile,
  imageExtension,
  imageFileOf,
  textFileName,
} from '../../routing/routeFile.ts'
import { frameworkError } from '../../shared/errors.ts'

/**
 * Prefix of the id of a module that describes an image or text file in the app folder. The rest is
 * the file's path.
 */
const contentPrefix = 'virtual:waymark/content/'

export function isContentFile(file: string): boolean {
  return (imageFileOf(file)?.type ?? textFileName(file)) !== null
}

export function contentId(file: string): string {
  // Vite would parse a module whose id ends with .json as JSON, so add .js.
  return isContentFile(file) ? `${contentPrefix}${file}.js` : file
}

/**
 * Serves the modules that describe images and their texts.
 *
 * @throws `IMAGE_FILE`
 */
export function imageFilesPlugin(): Plugin {
  return {
    name: 'waymark:image-files',
    resolveId: {
      filter: { id: new RegExp(`^${contentPrefix}`) },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: new RegExp(`^\0${contentPrefix}`) },
      handler(id) {
        const file = id.slice(contentPrefix.length + 1, -'.js'.length)
        const altFile = file.replace(/\.\w+$/, '.alt.txt')
        for (const each of [file, altFile]) if (existsSync(each)) this.addWatchFile(each)
        if (textFileName(file)) {
          return `export const text = ${JSON.stringify(readFileSync(file, 'utf8'))}\n`
        }
        const alt = existsSync(altFile) ? readFileSync(altFile, 'utf8').trim() : ''
        const { code, warning } = imageModule(file, alt, this.environment.config.cacheDir)
        if (warning !== null) this.environment.config.logger.warnOnce(warning)
        return code
      },
    },
  }
}

// Largest sizes that Facebook and X accept.
const maxMegabytes: Readonly<Record<string, number>> = { 'opengraph-image': 8, 'twitter-image': 5 }

/**
 * @param cacheDir folder for copies of images whose extension doesn't match their content
 * @throws `IMAGE_FILE`
 */
function imageModule(
  file: string,
  alt: string,
  cacheDir: string,
): { readonly code: string; readonly warning: string | null } {
  const image = imageFileOf(file) as ImageFile
  const name = `app/${file.split('/app/').at(-1)}`
  const refuse = (reason: string) => frameworkError('IMAGE_FILE', { file: name, reason })
  const bytes = readFileSync(file)
  const limit = maxMegabytes[image.kind] ?? Number.POSITIVE_INFINITY
  if (bytes.length > limit * 1_000_000) {
    const size = (bytes.length / 1_000_000).toFixed(1)
    throw refuse(
      `it has ${size} MB, but social networks accept at most ${limit} MB. Reduce its size`,
    )
  }
  const isFavicon = image.kind === 'favicon'
  const content = readImageContent(bytes, image)
  if (content === null) {
    throw refuse(
      `its content isn't ${image.type}. Save it as ${path.extname(file).slice(1)}, or use the extension that matches its content`,
    )
  }
  const extension = imageExtension(content.type)
  const isMisnamed = content.type !== image.type
  const described = {
    kind: image.kind,
    type: content.type,
    ...content.size,
    ...(alt !== '' && { alt }),
  }
  const served = isMisnamed && !isFavicon ? copyAs(extension, { file, bytes, cacheDir }) : file
  const url = isFavicon ? '"/favicon.ico"' : 'url'
  const code = [
    // Never inline the image, because social networks fetch a URL.
    isFavicon ? '' : `import url from ${JSON.stringify(`${served}?url&no-inline`)}`,
    `export const image = { ...${JSON.stringify(described)}, url: ${url} }`,
    isFavicon ? `export const bytes = ${JSON.stringify(bytes.toString('base64'))}` : '',
    '',
  ].join('\n')
  const advice = () => misnamedAdvice(file, content.type, readdirSync(path.dirname(file)))
  const warning = () =>
    `${name} is served as ${content.type}, because its content isn't ${image.type}. ${advice()}`
  return { code, warning: isMisnamed ? warning() : null }
}

/**
 * @param contentType true type of the image
 * @param siblings names of the files in the image's folder
 */
export function misnamedAdvice(
  file: string,
  contentType: string,
  siblings: readonly string[],
): string {
  const { base, name, ext } = path.parse(file)
  const newName = name === 'favicon' ? 'icon' : name
  const other = siblings.find((each) => each !== base && imageFileOf(each)?.name === newName)
  return other === undefined
    ? `Rename it to ${newName}.${imageExtension(contentType)}.`
    : `Save it as ${ext.slice(1).toUpperCase()}, or delete it, because the folder contains ${other}, too.`
}

/** Writes a copy with the extension of the content, from which servers derive the media type. */
function copyAs(
  extension: string,
  { file, bytes, cacheDir }: { file: string; bytes: Buffer; cacheDir: string },
): string {
  // Use a folder for each path, because several folders of an app may have an icon.
  const folder = createHash('sha256').update(file).digest('hex').slice(0, 16)
  const copy = path.posix.join(
    normalizePath(cacheDir),
    'waymark-images',
    folder,
    `${path.parse(file).name}.${extension}`,
  )
  mkdirSync(path.dirname(copy), { recursive: true })
  writeFileSync(copy, bytes)
  return copy
}

type ImageContent = { readonly type: string; readonly size: ImageSize }

/**
 * Finds the true type of an image, whose extension may be wrong.
 *
 * @returns `null` if browsers and social networks don't show the content
 */
export function readImageContent(
  bytes: Buffer,
  { kind, type }: Pick<ImageFile, 'kind' | 'type'>,
): ImageContent | null {
  const isIcon = kind === 'favicon' || kind === 'icon'
  const others = isIcon ? [...rasterTypes, 'image/x-icon', 'image/svg+xml'] : rasterTypes
  for (const each of type === null ? others : [type, ...others]) {
    const size = readImageSize(bytes, each)
    if (size !== null) return { type: each, size }
  }
  return null
}

const rasterTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type ImageSize = { readonly width?: number; readonly height?: number }

/**
 * Reads width and height from the header of an image.
 *
 * @returns an empty object if the image has no size, or `null` if the content has a different type
 */
export function readImageSize(bytes: Buffer, type: string | null): ImageSize | null {
  switch (type) {
    case 'image/png':
      return readPngSize(bytes)
    case 'image/gif':
      return readGifSize(bytes)
    case 'image/jpeg':
      return readJpegSize(bytes)
    case 'image/x-icon':
      return readIconSize(bytes)
    case 'image/webp':
      return bytes.toString('latin1', 8, 12) === 'WEBP' ? {} : null
    default:
      return /<svg[\s>]/.test(bytes.toString('utf8')) ? {} : null
  }
}

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function readPngSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGifSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 4) !== 'GIF8') return null
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** @see ITU-T T.81 §B.2.2 for the frame header, SOF0 to SOF15 */
function readJpegSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // Fill bytes may come before a marker, so advance byte by byte.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Returns the size of an icon's largest image. In the header, 0 means 256. */
function readIconSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== 0x10000) return null
  const count = Math.min(bytes.readUInt16LE(4), Math.floor((bytes.length - 6) / 16))
  const sizes = Array.from({ length: count }, (_, index) => ({
    width: bytes[6 + index * 16] || 256,
    height: bytes[7 + index * 16] || 256,
  }))
  return sizes.sort((a, b) => b.width - a.width)[0] ?? null
}
