import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { type ImageFile, imageFileOf, textFileName } from '../../routing/routeFile.ts'
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
        return imageModule(file, existsSync(altFile) ? readFileSync(altFile, 'utf8').trim() : '')
      },
    },
  }
}

// Largest sizes that Facebook and X accept.
const maxMegabytes: Readonly<Record<string, number>> = { 'opengraph-image': 8, 'twitter-image': 5 }

function imageModule(file: string, alt: string): string {
  const image = imageFileOf(file) as ImageFile
  const refuse = (reason: string) =>
    frameworkError('IMAGE_FILE', { file: `app/${file.split('/app/').at(-1)}`, reason })
  const bytes = readFileSync(file)
  const limit = maxMegabytes[image.kind] ?? Number.POSITIVE_INFINITY
  if (bytes.length > limit * 1_000_000) {
    const size = (bytes.length / 1_000_000).toFixed(1)
    throw refuse(
      `it has ${size} MB, but social networks accept at most ${limit} MB. Reduce its size`,
    )
  }
  const size = readImageSize(bytes, image.type)
  if (size === null) {
    throw refuse(
      `its content isn't ${image.type}. Save it as ${path.extname(file).slice(1)}, or use the extension that matches its content`,
    )
  }
  const isFavicon = image.kind === 'favicon'
  const described = { kind: image.kind, type: image.type, ...size, ...(alt !== '' && { alt }) }
  const url = isFavicon ? '"/favicon.ico"' : 'url'
  return [
    // Social networks fetch the image by its URL, so never inline it.
    isFavicon ? '' : `import url from ${JSON.stringify(`${file}?url&no-inline`)}`,
    `export const image = { ...${JSON.stringify(described)}, url: ${url} }`,
    isFavicon ? `export const bytes = ${JSON.stringify(bytes.toString('base64'))}` : '',
    '',
  ].join('\n')
}

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
