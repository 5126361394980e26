import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FallbackFont, FontOptions } from './createFont.ts'
import { type FontMetrics, readMetrics } from './metrics.ts'

export type Face = {
  /** Absolute path of the font file. */
  readonly file: string
  readonly weight: string
  readonly style: 'normal' | 'italic'
  /** Value of `unicode-range`; `null` for all characters. */
  readonly unicodeRange: string | null
  /** True if the page preloads the file, before the browser has read the style sheet. */
  readonly isPreloaded: boolean
}

export type Family = {
  readonly name: string
  readonly faces: readonly Face[]
  readonly generic: string
  readonly adjust: FallbackFont | false
}

export type FontPlace = {
  /** Absolute path of the file that calls `font()`. */
  readonly importer: string
  /** @returns the package's folder; `null` if the package isn't installed */
  readonly findPackage: (name: string) => string | null
}

/** The parts of a Fontsource package's `metadata.json` that we read. */
type PackageMetadata = {
  readonly id: string
  readonly family: string
  readonly subsets: readonly string[]
  readonly weights: readonly number[]
  readonly styles: readonly string[]
  readonly category: string
  readonly variable:
    | false
    | Readonly<Record<string, { readonly min: string; readonly max: string }>>
}

/**
 * Largest number of font files to preload, because preloads compete with other resources. The
 * remaining files are loaded with the style sheet.
 */
const maxPreloaded = 2

const types = new Map([
  ['.woff2', { type: 'font/woff2', format: 'woff2' }],
  ['.woff', { type: 'font/woff', format: 'woff' }],
  ['.ttf', { type: 'font/ttf', format: 'truetype' }],
  ['.otf', { type: 'font/otf', format: 'opentype' }],
])

/**
 * For each font, the average width of a letter in em, and the names under which systems have the font
 * or one with the same metrics.
 */
const fallbackFonts: Readonly<Record<FallbackFont, { width: number; names: readonly string[] }>> = {
  Arial: { width: 901 / 2048, names: ['Arial', 'ArialMT', 'Liberation Sans', 'Arimo'] },
  'Times New Roman': {
    width: 816 / 2048,
    names: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif', 'Tinos'],
  },
  'Courier New': {
    width: 1229 / 2048,
    names: ['Courier New', 'CourierNewPSMT', 'Liberation Mono', 'Cousine'],
  },
}

/** @throws Error with the package to install or the option to change */
export function resolveFamily(options: FontOptions, place: FontPlace): Family {
  if (options.package !== undefined && options.src === undefined) {
    return packageFamily(options.package, options, place)
  }
  if (options.src !== undefined && options.package === undefined)
    return localFamily(options.src, options, place)
  throw new Error(
    "font() needs either package: '@fontsource-variable/…' or src: './….woff2'. Set exactly one of the two.",
  )
}

function packageFamily(name: string, options: FontOptions, place: FontPlace): Family {
  const folder = place.findPackage(name)
  if (folder === null) {
    throw new Error(`The font package ${name} is not installed. Install it, or correct the name.`)
  }
  const about = readJson<PackageMetadata>(path.join(folder, 'metadata.json'), name)
  const ranges = readJson<Record<string, string>>(path.join(folder, 'unicode.json'), name)
  const { subsets = ['latin'], styles = ['normal'], axis = 'wght' } = options
  requireAvailable('subset', subsets, about.subsets, name)
  requireAvailable('style', styles, about.styles, name)
  if (about.variable === false)
    requireAvailable('weight', options.weights ?? [400], about.weights, name)
  const weight = about.variable === false ? undefined : about.variable.wght
  const cuts = about.variable
    ? [{ part: axis, weight: weight ? `${weight.min} ${weight.max}` : '400' }]
    : (options.weights ?? [400]).map((each) => ({ part: String(each), weight: String(each) }))
  const faces = styles.flatMap((style) =>
    cuts.flatMap(({ part, weight }) =>
      // Put the app's preferred subsets last, because browsers use the last face that matches.
      [...about.subsets].sort(by(subsets)).map((subset) => ({
        file: path.join(folder, 'files', `${about.id}-${subset}-${part}-${style}.woff2`),
        weight,
        style,
        unicodeRange: ranges[subset] ?? null,
        isPreloaded: style === styles[0] && subsets.includes(subset),
      })),
    ),
  )
  return {
    name: options.family ?? about.family,
    faces: checkedFaces(faces, options),
    generic: genericOf(about.category),
    adjust: options.adjust ?? adjustTo(about.category),
  }
}

const by = (last: readonly string[]) => (a: string, b: string) =>
  Number(last.includes(a)) - Number(last.includes(b)) || (a < b ? -1 : 1)

function requireAvailable(
  what: string,
  requested: readonly (string | number)[],
  there: readonly (string | number)[],
  name: string,
): void {
  for (const each of requested) {
    if (!there.includes(each)) {
      throw new Error(`${name} has no ${what} ${each}. It has: ${there.join(', ')}.`)
    }
  }
}

function localFamily(
  src: NonNullable<FontOptions['src']>,
  options: FontOptions,
  place: FontPlace,
): Family {
  const files = typeof src === 'string' ? [{ path: src }] : src
  const faces = files.map(({ path: file, weight = 400, style = 'normal' }) => ({
    file: path.resolve(path.dirname(place.importer), file),
    weight: String(weight),
    style,
    unicodeRange: null,
    isPreloaded: true,
  }))
  const [first] = faces
  if (!first) throw new Error('font() has an empty src. Add at least one file.')
  return {
    name: options.family ?? path.parse(first.file).name,
    faces: checkedFaces(faces, options),
    generic: 'sans-serif',
    adjust: options.adjust ?? 'Arial',
  }
}

/** Checks the types of the font files, and limits the number of preloads. */
function checkedFaces(faces: readonly Face[], { preload = true }: FontOptions): Face[] {
  let preloaded = 0
  return faces.map((face) => {
    if (!types.has(path.extname(face.file))) {
      throw new Error(
        `The font ${face.file} has an unknown type. Use a woff2, woff, ttf or otf file.`,
      )
    }
    const isPreloaded = preload && face.isPreloaded && preloaded < maxPreloaded
    if (isPreloaded) preloaded++
    return { ...face, isPreloaded }
  })
}

function readJson<T>(file: string, name: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    throw new Error(
      `${name} is not a Fontsource package, because its ${path.basename(file)} can't be read. Use src instead of package.`,
    )
  }
}

function genericOf(category: string): string {
  return ['serif', 'monospace'].includes(category) ? category : 'sans-serif'
}

function adjustTo(category: string): FallbackFont {
  if (category === 'serif') return 'Times New Roman'
  return category === 'monospace' ? 'Courier New' : 'Arial'
}

export function typeOf({ file }: Face): string {
  return types.get(path.extname(file))?.type ?? ''
}

export type FamilyStyles = { readonly css: string; readonly fontFamily: string }

/**
 * Writes the style sheet for a font family.
 * @param className class that sets the family; with the suffix `-variable`, the class sets the
 * custom property
 * @throws Error if a file is missing or not valid
 */
export function familyStyles(
  family: Family,
  options: FontOptions,
  className: string,
): FamilyStyles {
  const { name, faces, generic, adjust } = family
  const fallbackName = `${name} Fallback`
  const names = adjust ? [name, fallbackName] : [name]
  const others = options.fallback ?? [generic]
  const fontFamily = [...names.map(quoted), ...others.map(familyName)].join(', ')
  const rules = [
    ...faces.map((face) => faceRule(name, face, options)),
    ...(adjust ? [fallbackRule(fallbackName, adjust, metricsOf(faces))] : []),
    `.${className} { font-family: ${fontFamily} }`,
    ...(options.variable ? [`.${className}-variable { ${options.variable}: ${fontFamily} }`] : []),
  ]
  return { css: `${rules.join('\n')}\n`, fontFamily }
}

function faceRule(name: string, face: Face, { display = 'swap' }: FontOptions): string {
  const format = types.get(path.extname(face.file))?.format
  return `@font-face {
  font-family: ${quoted(name)};
  font-style: ${face.style};
  font-weight: ${face.weight};
  font-display: ${display};
  src: url(${quoted(face.file.replaceAll('\\', '/'))}) format("${format}");${
    face.unicodeRange ? `\n  unicode-range: ${face.unicodeRange};` : ''
  }
}`
}

function fallbackRule(name: string, adjust: FallbackFont, metrics: FontMetrics): string {
  const { unitsPerEm, ascent, descent, lineGap, averageWidth } = metrics
  const fallback = fallbackFonts[adjust]
  const size = averageWidth / unitsPerEm / fallback.width
  const percent = (value: number) => `${(100 * value).toFixed(2)}%`
  const ofEm = (units: number) => percent(Math.abs(units) / unitsPerEm / size)
  return `@font-face {
  font-family: ${quoted(name)};
  src: ${fallback.names.map((each) => `local(${quoted(each)})`).join(', ')};
  size-adjust: ${percent(size)};
  ascent-override: ${ofEm(ascent)};
  descent-override: ${ofEm(descent)};
  line-gap-override: ${ofEm(lineGap)};
}`
}

/**
 * Returns the metrics of the file that is used for most text: the preloaded upright file, if there
 * is one.
 */
function metricsOf(faces: readonly Face[]): FontMetrics {
  const face =
    faces.find(({ isPreloaded, style }) => isPreloaded && style === 'normal') ?? faces.at(-1)
  if (!face) throw new Error('The font has no files.')
  try {
    return readMetrics(readFileSync(face.file))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The font ${face.file} can't be read: ${why}.`)
  }
}

const quoted = (text: string) => JSON.stringify(text)

/** Quotes a family name, except for generic families such as `serif`. */
function familyName(name: string): string {
  return /^[a-z-]+$/.test(name) ? name : quoted(name)
}
