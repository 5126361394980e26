import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sharp, SharpInput, SharpOptions } from 'sharp'
import { variantWidths } from './imageSource.ts'

/** Facts about an image, which are read once and then stored. */
export type ImageFacts = {
  readonly width: number
  readonly height: number
  readonly format: SourceFormat
  readonly placeholder: string | null
}

/** An image in the app from which variants are created. */
export type SourceImage = ImageFacts & {
  readonly file: string
  /** Name that the variants' file names contain. It consists of letters, digits, `_` and `-`. */
  readonly name: string
  /** Hash of the image's content and the settings for variants. */
  readonly hash: string
}

type SourceFormat = keyof typeof extensions
export type VariantFormat = SourceFormat | 'avif'

/** A resized file. `width` is in pixels. */
export type Variant = { readonly width: number; readonly format: VariantFormat }

/** File extensions, keyed by sharp's names for the formats. */
const extensions = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const

/** Part of each image's hash. Change this number whenever the encoding settings change. */
const settingsVersion = 1

const encoders: Readonly<Record<VariantFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 80, mozjpeg: true }),
  png: (image) => image.png({ compressionLevel: 9 }),
  webp: (image) => image.webp({ quality: 75 }),
  avif: (image) => image.avif({ quality: 50, effort: 4 }),
}

/** Width in pixels of the widest variant in the original format. */
const maxPlainWidth = 1920
const placeholderWidth = 16

type OpenSharp = (input: SharpInput, options?: SharpOptions) => Sharp

/**
 * Loads sharp.
 * @throws Error if sharp's native code is missing, for example because it was installed for a
 * different platform
 */
export async function loadSharp(): Promise<OpenSharp> {
  const { default: sharp } = await import('sharp')
  return sharp
}

/**
 * Creates the variants of images. The variants stay in a folder between builds, so that each
 * variant is only created once.
 */
export function createVariants({ root }: { readonly root: string }) {
  const folder = path.join(root, 'node_modules/.cache/waymark/images')
  const running = new Map<string, Promise<unknown>>()
  let sharp: Promise<OpenSharp> | null = null
  const openSharp = () => {
    sharp ??= loadSharp()
    return sharp
  }

  /**
   * Shares one computation between environments and requests that need the same result at the same
   * time.
   */
  function once<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    const started = running.get(key)
    if (started) return started as Promise<Value>
    const computation = compute().finally(() => running.delete(key))
    running.set(key, computation)
    return computation
  }

  return {
    /**
     * Reads the facts of an image.
     * @throws Error if the file is broken, animated, or not a JPEG, PNG or WebP
     */
    async open(file: string): Promise<SourceImage> {
      const content = await readFile(file)
      const hash = createHash('sha256').update(`${settingsVersion}\n`).update(content).digest('hex')
      const { name } = path.parse(file)
      const source = { file, name: name.replaceAll(/[^\w-]+/g, '-'), hash: hash.slice(0, 16) }
      const stored = path.join(folder, source.hash, 'facts.json')
      const facts = await once(stored, async () => {
        if (existsSync(stored)) return JSON.parse(await readFile(stored, 'utf8')) as ImageFacts
        const facts = await readFacts(await openSharp(), content)
        await writeWhole(stored, JSON.stringify(facts))
        return facts
      })
      return { ...source, ...facts }
    },
    /** Creates a variant, unless it exists. @returns path of the variant's file */
    write(image: SourceImage, variant: Variant): Promise<string> {
      const stored = path.join(folder, image.hash, variantName(image, variant))
      return once(stored, async () => {
        if (existsSync(stored)) return stored
        const open = await openSharp()
        const resized = open(image.file).autoOrient().resize({ width: variant.width })
        await writeWhole(stored, await encoders[variant.format](resized).toBuffer())
        return stored
      })
    },
  }
}

/** Returns the name of a variant's file, such as `ridge-640.webp`. */
export function variantName({ name }: { name: string }, { width, format }: Variant): string {
  return `${name}-${width}.${format === 'avif' ? 'avif' : extensions[format]}`
}

/** Lists the variants of an image. None is wider than the image. */
export function listVariants(image: ImageFacts, hasAvif: boolean) {
  const widths = variantWidths.filter((width) => width < image.width)
  const widest = Math.min(image.width, variantWidths.at(-1) ?? 0)
  const all = widths.at(-1) === widest ? widths : [...widths, widest]
  const inFormat = (format: VariantFormat) => all.map((width): Variant => ({ width, format }))
  return {
    plain: { width: Math.min(image.width, maxPlainWidth), format: image.format } satisfies Variant,
    webp: inFormat('webp'),
    avif: hasAvif ? inFormat('avif') : null,
  }
}

async function readFacts(open: OpenSharp, content: Buffer): Promise<ImageFacts> {
  const { format, pages = 1, autoOrient } = await open(content).metadata()
  if (!isSourceFormat(format)) {
    throw new Error(
      `the format is ${format}, but only JPEG, PNG and WebP can be resized. Import the file without ?image.`,
    )
  }
  if (pages > 1 || isAnimatedPng(content))
    throw new Error(
      'the image is animated, and resizing would keep only its first frame. Import the file without ?image.',
    )
  const { isOpaque } = await open(content).stats()
  const tiny = () => open(content).autoOrient().resize({ width: placeholderWidth }).webp()
  const placeholder = isOpaque
    ? `data:image/webp;base64,${(await tiny().toBuffer()).toString('base64')}`
    : null
  return { width: autoOrient.width, height: autoOrient.height, format, placeholder }
}

/**
 * True for an animated PNG. libvips doesn't detect the animation, because it reads only the first
 * frame. @see https://www.w3.org/TR/png-3/#acTL-chunk
 */
function isAnimatedPng(content: Buffer): boolean {
  if (content.toString('latin1', 1, 4) !== 'PNG') return false
  // Search only before the first pixels, because the chunk `acTL` of an animated PNG comes before
  // them.
  const pixels = content.indexOf('IDAT', 8, 'latin1')
  const control = content.indexOf('acTL', 8, 'latin1')
  return control !== -1 && control < pixels
}

function isSourceFormat(format: string | undefined): format is SourceFormat {
  return format !== undefined && Object.hasOwn(extensions, format)
}

/**
 * Writes a file under a temporary name and renames it. A different process may write the same file
 * at the same time, and readers must not see an incomplete file.
 */
async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, content)
  await rename(temporary, file)
}
