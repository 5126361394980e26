import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sharp, SharpInput, SharpOptions } from 'sharp'
import { variantWidths } from './imageSource.ts'

/** What is read of an image once, and remembered. */
export type ImageFacts = {
  readonly width: number
  readonly height: number
  readonly format: SourceFormat
  readonly placeholder: string | null
}

/** An image of the app, on its way to its variants. */
export type SourceImage = ImageFacts & {
  readonly file: string
  /** Part of the names of its variants: letters, digits, `_` and `-`. */
  readonly name: string
  /** Of its content and of the settings. */
  readonly hash: string
}

type SourceFormat = keyof typeof extensions
export type VariantFormat = SourceFormat | 'avif'

/** `width` of the variant, in pixels. */
export type Variant = { readonly width: number; readonly format: VariantFormat }

/** Extensions of files, by sharp's name of the format. */
const extensions = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const

/** A part of the names: to be changed with the settings below. */
const settingsVersion = 1

const encoders: Readonly<Record<VariantFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 80, mozjpeg: true }),
  png: (image) => image.png({ compressionLevel: 9 }),
  webp: (image) => image.webp({ quality: 75 }),
  avif: (image) => image.avif({ quality: 50, effort: 4 }),
}

/** Widest variant in the format of the file. */
const maxPlainWidth = 1920
const placeholderWidth = 16

type OpenSharp = (input: SharpInput, options?: SharpOptions) => Sharp

/**
 * Loads sharp.
 * @throws Error where its machine code is not there, as after an installation for another machine
 */
export async function loadSharp(): Promise<OpenSharp> {
  const { default: sharp } = await import('sharp')
  return sharp
}

/** Makes variants of images, each once; they stay in a folder between builds. */
export function createVariants({ root }: { readonly root: string }) {
  const folder = path.join(root, 'node_modules/.cache/waymark/images')
  const flights = new Map<string, Promise<unknown>>()
  let sharp: Promise<OpenSharp> | null = null
  const openSharp = () => {
    sharp ??= loadSharp()
    return sharp
  }

  /** Environments and requests that want the same at once share one computation. */
  function once<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    const running = flights.get(key)
    if (running) return running as Promise<Value>
    const flight = compute().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  return {
    /**
     * Reads what a page needs to know of an image.
     * @throws Error when it is no JPEG, PNG or WebP, is animated or broken
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
    /** @returns path of the variant's file */
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

/** Name of a variant's file: `ridge-640.webp`. */
export function variantName({ name }: { name: string }, { width, format }: Variant): string {
  return `${name}-${width}.${format === 'avif' ? 'avif' : extensions[format]}`
}

/** The variants that an image of this width has; none is wider than itself. */
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
    throw new Error(`it is ${format}, and only JPEG, PNG and WebP are resized. Leave out ?image.`)
  }
  if (pages > 1 || isAnimatedPng(content))
    throw new Error('it is animated: it would stand still. Leave out ?image.')
  const { isOpaque } = await open(content).stats()
  const tiny = () => open(content).autoOrient().resize({ width: placeholderWidth }).webp()
  const placeholder = isOpaque
    ? `data:image/webp;base64,${(await tiny().toBuffer()).toString('base64')}`
    : null
  return { width: autoOrient.width, height: autoOrient.height, format, placeholder }
}

/** libvips reads the first frame only. @see https://www.w3.org/TR/png-3/#acTL-chunk */
function isAnimatedPng(content: Buffer): boolean {
  if (content.toString('latin1', 1, 4) !== 'PNG') return false
  // The chunk stands before the first pixels.
  const pixels = content.indexOf('IDAT', 8, 'latin1')
  const control = content.indexOf('acTL', 8, 'latin1')
  return control !== -1 && control < pixels
}

function isSourceFormat(format: string | undefined): format is SourceFormat {
  return format !== undefined && Object.hasOwn(extensions, format)
}

/** Another process may do the same: each file is whole, or not there. */
async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, content)
  await rename(temporary, file)
}
