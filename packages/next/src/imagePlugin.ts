import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { ImagesConfig } from './nextConfig.ts'

// Excludes other plugins' virtual modules, whose ids may end with the name of an image file.
const pattern = /^[^\0].*\.(?:png|jpe?g|webp|gif|svg)$/
const modulePattern = /^\0?virtual:next-names\/images$/

/**
 * Turns an imported image into an object with its URL and size. If `@waymark/image` is installed,
 * the object also has resized files. Also passes the configuration of images to `next/image`.
 */
export function imagePlugin(root: string, { unoptimized, loaderFile }: ImagesConfig): Plugin {
  const isUnoptimized = unoptimized === true
  return {
    name: 'next-names:images',
    enforce: 'pre',
    resolveId: { filter: { id: modulePattern }, handler: (id) => `\0${id.replace('\0', '')}` },
    load: {
      filter: { id: [pattern, modulePattern] },
      async handler(id) {
        if (modulePattern.test(id)) {
          const loader = loaderFile === undefined ? null : path.resolve(root, loaderFile)
          return [
            `export const isUnoptimized = ${isUnoptimized}`,
            loader === null
              ? 'export const loader = undefined'
              : `export { default as loader } from ${JSON.stringify(loader)}`,
          ].join('\n')
        }
        try {
          return writeImage(id, await readFile(id), { isUnoptimized })
        } catch (error) {
          return this.error(error instanceof Error ? error.message : String(error))
        }
      },
    },
  }
}

/**
 * Writes the module of an imported image.
 * @throws Error if the file is not an image
 */
export function writeImage(
  file: string,
  content: Buffer,
  { isUnoptimized = false, urlQuery = '?url' } = {},
): string {
  const size = readImageSize(content)
  if (size === null) {
    throw new Error(
      `${path.basename(file)} can't be imported as an image. It is not a PNG, JPEG, WebP, GIF or SVG file, or its size can't be read.`,
    )
  }
  return !isUnoptimized && isResizable(content)
    ? writeResized(file, urlQuery)
    : writePlain(file + urlQuery, size)
}

/** True if the first bytes are from a raster image that isn't animated. */
function isResizable(bytes: Buffer): boolean {
  const isWebp = bytes.toString('latin1', 8, 12) === 'WEBP'
  // In a WebP file, the second bit of the flags marks an animation (RFC 9649 §2.7.1).
  if (isWebp) return bytes.toString('latin1', 12, 16) !== 'VP8X' || ((bytes[20] ?? 0) & 2) === 0
  return bytes.readUInt32BE(0) === 0x89504e47 || bytes.readUInt16BE(0) === 0xffd8
}

function writeResized(id: string, urlQuery: string): string {
  return [
    `import src from ${JSON.stringify(id + urlQuery)}`,
    `import image from ${JSON.stringify(`${id}?image`)}`,
    'const { width, height, variants, placeholder } = image',
    'export default { src, width, height, variants, blurDataURL: placeholder ?? undefined }',
  ].join('\n')
}

function writePlain(url: string, { width, height }: Size): string {
  return [
    `import src from ${JSON.stringify(url)}`,
    `export default { src, width: ${width}, height: ${height} }`,
  ].join('\n')
}

type Size = { readonly width: number; readonly height: number }

/**
 * Reads the size of an image from its first bytes.
 * @returns `null` if the file isn't an image in a supported format
 */
export function readImageSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null
  if (bytes.includes('<svg')) return svgSize(bytes.toString('utf8'))
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (bytes.toString('latin1', 0, 3) === 'GIF') {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  }
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes)
  return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null
}

// The three kinds of WebP in RFC 9649 §2: lossy, lossless and extended.
function webpSize(bytes: Buffer): Size | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** Reads segment by segment, until one describes a frame. */
function jpegSize(bytes: Buffer): Size | null {
  let turned = false
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const height = bytes.readUInt16BE(at + 5)
      const width = bytes.readUInt16BE(at + 7)
      return turned ? { width: height, height: width } : { width, height }
    }
    const length = bytes.readUInt16BE(at + 2)
    if (marker === 0xe1) turned ||= isTurned(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  return null
}

/** True if the Exif data rotates the image by 90 or 270 degrees. */
function isTurned(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, 4) !== 'Exif' || segment.length < 24) return false
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return false
  for (
    let at = start + 2, left = read16(start);
    left > 0 && at + 12 <= tiff.length;
    left--, at += 12
  ) {
    if (read16(at) === 0x0112) return read16(at + 8) >= 5
  }
  return false
}

/**
 * Returns the size of the `<svg>` element in pixels. A missing width or height is computed from the
 * `viewBox`.
 */
function svgSize(text: string): Size | null {
  const [element = ''] = /<svg\b[^>]*>/.exec(text) ?? []
  const [, boxWidth, boxHeight] =
    /\bviewBox\s*=\s*["'][\d.eE+-]+[\s,]+[\d.eE+-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(element) ?? []
  const [, widthAttribute] = /\swidth\s*=\s*["']([\d.]+)(?:px)?["']/.exec(element) ?? []
  const [, heightAttribute] = /\sheight\s*=\s*["']([\d.]+)(?:px)?["']/.exec(element) ?? []
  const ratio = Number(boxWidth) / Number(boxHeight)
  const width = Number(
    widthAttribute ?? (heightAttribute ? Number(heightAttribute) * ratio : boxWidth),
  )
  const height = Number(
    heightAttribute ?? (widthAttribute ? Number(widthAttribute) / ratio : boxHeight),
  )
  return width > 0 && height > 0 ? { width, height } : null
}
