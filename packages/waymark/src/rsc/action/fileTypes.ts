/** Reads the first bytes of a file. */
type Start = {
  /** True if the bytes at an offset are the text, which is one byte per character. */
  readonly has: (text: string, offset?: number) => boolean
  /** The brands of an ISO media file (ISO/IEC 14496-12 §4.3), the major brand first. Empty for other files. */
  readonly brands: readonly string[]
  /** The first bytes, one per character. */
  readonly text: string
}

type FileTypeRow = {
  /** Extension that file names get. */
  readonly extension: string
  readonly matches: (start: Start) => boolean
}

const avif = /^avi[fs]$/
const heic = /^hei[cmsx]$|^hev[cmsx]$/
const mp4 = /^(?:isom|iso[2-9]|mp4[12]|avc1|dash|M4V |MSNV)$/

const fileTypes = {
  'image/jpeg': { extension: 'jpg', matches: ({ has }) => has('\xff\xd8\xff') },
  'image/png': { extension: 'png', matches: ({ has }) => has('\x89PNG\r\n\x1a\n') },
  'image/gif': { extension: 'gif', matches: ({ has }) => has('GIF87a') || has('GIF89a') },
  'image/webp': { extension: 'webp', matches: ({ has }) => has('RIFF') && has('WEBP', 8) },
  'image/avif': { extension: 'avif', matches: ({ brands }) => brands.some((b) => avif.test(b)) },
  'image/heic': { extension: 'heic', matches: ({ brands }) => brands.some((b) => heic.test(b)) },
  'application/pdf': { extension: 'pdf', matches: ({ has }) => has('%PDF-') },
  'application/zip': {
    extension: 'zip',
    matches: ({ has }) => has('PK\x03\x04') || has('PK\x05\x06'),
  },
  'audio/mpeg': {
    extension: 'mp3',
    // An MPEG frame starts with 11 set bits, then a version, and a layer that is III for MP3.
    matches: ({ has, text }) => has('ID3') || /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(text),
  },
  'audio/wav': { extension: 'wav', matches: ({ has }) => has('RIFF') && has('WAVE', 8) },
  'audio/ogg': { extension: 'ogg', matches: ({ has }) => has('OggS') },
  'audio/mp4': { extension: 'm4a', matches: ({ brands }) => /^M4[AB] $/.test(brands[0] ?? '') },
  'video/mp4': { extension: 'mp4', matches: ({ brands }) => mp4.test(brands[0] ?? '') },
  'video/quicktime': { extension: 'mov', matches: ({ brands }) => brands[0] === 'qt  ' },
  'video/webm': {
    extension: 'webm',
    // EBML header, in which the document type follows within the first bytes.
    matches: ({ has, text }) => has('\x1aE\xdf\xa3') && text.includes('webm'),
  },
} as const satisfies Readonly<Record<string, FileTypeRow>>

/** Media types that Waymark recognises by a file's content. */
export type FileType = keyof typeof fileTypes

export const allFileTypes = Object.keys(fileTypes) as FileType[]

/** Number of bytes from the start of a file that `detectFileType` reads. */
const startBytes = 128

/**
 * Finds the media type of a file by its first bytes. The type and the name that a client sends prove nothing.
 * @returns `null` for content that matches no known type
 */
export async function detectFileType(file: Blob): Promise<FileType | null> {
  const bytes = new Uint8Array(await file.slice(0, startBytes).arrayBuffer())
  const text = String.fromCharCode(...bytes)
  const has = (expected: string, offset = 0) => text.startsWith(expected, offset)
  const start: Start = { has, text, brands: readBrands(bytes, text) }
  return allFileTypes.find((type) => fileTypes[type].matches(start)) ?? null
}

function readBrands(bytes: Uint8Array, text: string): string[] {
  if (!text.startsWith('ftyp', 4)) return []
  const size = new DataView(bytes.buffer).getUint32(0)
  const brands = [text.slice(8, 12)]
  for (let at = 16; at + 4 <= Math.min(size, text.length); at += 4) {
    brands.push(text.slice(at, at + 4))
  }
  return brands
}

const maxNameLength = 100

/**
 * Maximum characters of a sent name that are read, from its end. A client can send megabytes, which Unicode
 * normalisation and the regular expressions would process in quadratic time. File systems allow 255.
 */
const maxReadLength = 1_000

/**
 * Returns a file name without a path, control characters and characters that reverse the text's direction. If the type
 * is known, the name ends with the type's extension: a PNG that is sent as `x.html` becomes `x.png`.
 */
export function safeFileName(sentName: string, type: FileType | null): string {
  const end = sentName.slice(-maxReadLength)
  const lastPart = end.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const printable = lastPart.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu, '')
  const extension = /\.[^.]*$/.exec(printable)?.[0] ?? ''
  const bare =
    extension === printable ? '' : printable.slice(0, printable.length - extension.length)
  const stem = bare.replace(/^[.\s]+|[.\s]+$/g, '').slice(0, maxNameLength) || 'file'
  if (type === null) return stem + extension.slice(0, 20).trimEnd()
  const typeExtension = `.${fileTypes[type].extension}`
  const isSame = type === 'image/jpeg' && /^\.jpe?g$/i.test(extension)
  return stem + (isSame ? extension.toLowerCase() : typeExtension)
}
