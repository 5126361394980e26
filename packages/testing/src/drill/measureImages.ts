import type { Page } from 'playwright-core'
import type { DrillConfig } from './drillConfig.ts'
import type { DrilledRoute, DrillOptions } from './drillResult.ts'

/** In CSS pixels; `density` is that of the screen. */
export type MeasuredViewport = {
  readonly width: number
  readonly height: number
  readonly density: number
}

export type ImageProblem = {
  readonly kind: 'broken' | 'late' | 'measures' | 'page' | 'sizes' | 'too-large'
  /** Of the image, or of the page. */
  readonly url: string
  readonly text: string
}

/** The images of a page in one viewport. */
export type MeasuredPage = {
  readonly route: string
  readonly pathname: string
  readonly viewport: MeasuredViewport
  readonly images: number
  readonly sentBytes: number
  /** What files of the very size in which they are shown would have. */
  readonly neededBytes: number
  readonly problems: readonly ImageProblem[]
}

/** What a page says of an image; bytes are 0 where its server does not let pages know. */
export type ShownImage = {
  readonly url: string
  readonly bytes: number
  /** Of the file, in pixels; 0 for one that can't be shown. */
  readonly fileWidth: number
  readonly fileHeight: number
  /** On the screen, in CSS pixels; 0 for one that is hidden. */
  readonly width: number
  readonly height: number
  readonly hasMeasures: boolean
  /** Whether the browser has to guess which file fits. */
  readonly lacksSizes: boolean
  /** Whether it is the largest on the first screen, and waits for others. */
  readonly isLate: boolean
}

const withinMs = 20_000

/**
 * Measures the images of a page that a browser shows, down to its end.
 * @param cookies of the visitor, by name
 */
export async function measurePage(
  { pattern: route, pathname }: DrilledRoute,
  viewport: MeasuredViewport,
  { browser, origin, cookies = {} }: Pick<DrillOptions, 'browser' | 'origin'> & DrillConfig,
): Promise<MeasuredPage> {
  const { width, height, density } = viewport
  const screen = { viewport: { width, height }, deviceScaleFactor: density }
  const context = await browser.newContext({ baseURL: origin, ...screen })
  const place = { route, pathname, viewport }
  try {
    const list = Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin }))
    if (list.length > 0) await context.addCookies(list)
    const page = await context.newPage()
    page.setDefaultTimeout(withinMs)
    const status = (await page.goto(pathname, { waitUntil: 'load' }))?.status() ?? 0
    const images = await readImages(page)
    const problems = images.flatMap((image) => problemsOf(image, density))
    if (status >= 400) {
      problems.unshift({ kind: 'page', url: pathname, text: `the page responds with ${status}` })
    }
    // An image that stands in several places is fetched once, for the largest.
    const files = new Map<string, { sent: number; needed: number }>()
    for (const image of images) {
      const needed = Math.max(files.get(image.url)?.needed ?? 0, neededBytes(image, density))
      files.set(image.url, { sent: image.bytes, needed })
    }
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    return {
      ...place,
      images: images.length,
      sentBytes: sum([...files.values()].map(({ sent }) => sent)),
      neededBytes: sum([...files.values()].map(({ needed }) => needed)),
      problems,
    }
  } catch (thrown) {
    const [text = ''] = String(thrown).split('\n', 1)
    const problems: ImageProblem[] = [{ kind: 'page', url: pathname, text }]
    return { ...place, images: 0, sentBytes: 0, neededBytes: 0, problems }
  } finally {
    await context.close()
  }
}

/** Bytes are about in proportion to pixels; one that is shown cropped needs its larger side. */
export function neededBytes(image: ShownImage, density: number): number {
  const { bytes, fileWidth, fileHeight, width, height } = image
  if (fileWidth === 0 || fileHeight === 0) return bytes
  const scale = Math.max((width * density) / fileWidth, (height * density) / fileHeight)
  return Math.round(bytes * Math.min(1, scale) ** 2)
}

// Widths of variants are up to 1.5 times apart: 2.25 times the pixels.
const maxShare = 2.5
const leastExcessBytes = 10_000

export function problemsOf(image: ShownImage, density: number): ImageProblem[] {
  const { url, bytes, width, height, fileWidth, fileHeight } = image
  if (fileWidth === 0) return [{ kind: 'broken', url, text: 'it can’t be shown' }]
  const problems: ImageProblem[] = []
  const add = (kind: ImageProblem['kind'], text: string) => problems.push({ kind, url, text })
  if (image.isLate) {
    add('late', 'it is the largest on the first screen, and waits: give it priority')
  }
  if (image.lacksSizes) add('sizes', 'it has widths in srcset and no sizes: say how wide it is')
  if (!image.hasMeasures) add('measures', 'it has no width and height: what is below moves')
  const needed = neededBytes(image, density)
  if (bytes > needed * maxShare && bytes - needed > leastExcessBytes) {
    const shown = `${Math.round(width * density)}×${Math.round(height * density)}`
    const text = `it has ${fileWidth}×${fileHeight} pixels, and ${shown} are shown: `
    add('too-large', `${text}${bytes} bytes, where some ${needed} do`)
  }
  return problems
}

// What runs in the page uses nothing of this module.

/** Goes through the page, so that lazy images are loaded. */
async function readImages(page: Page): Promise<ShownImage[]> {
  const first = await page.evaluateHandle(findFirst)
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    // A page may grow while it is read.
    for (let at = 0; at < Math.min(document.body.scrollHeight, 100_000); at += innerHeight) {
      scrollTo(0, at)
      await frame()
      await frame()
    }
  })
  return page.evaluate(describeImages, { first, waitMs: withinMs })
}

/** @returns the largest image of the first screen, if it waits for others that are not as large */
function findFirst(): Element | null {
  const shown = [...document.images].map((image) => {
    const { left, right, top, bottom } = image.getBoundingClientRect()
    const width = Math.min(right, innerWidth) - Math.max(left, 0)
    const height = Math.min(bottom, innerHeight) - Math.max(top, 0)
    return { image, area: Math.max(0, width) * Math.max(0, height) }
  })
  const [largest] = shown.sort((a, b) => b.area - a.area)
  // Smaller ones are seldom what people wait for.
  if (!largest || largest.area < innerWidth * innerHeight * 0.05) return null
  // Of equally large ones, one can be the first.
  const isLarge = ({ area }: { area: number }) => area > largest.area * 0.9
  const hasFirst = shown.some((each) => each.image.fetchPriority === 'high' && isLarge(each))
  return hasFirst ? null : largest.image
}

async function describeImages({
  first,
  waitMs,
}: {
  readonly first: Element | null
  readonly waitMs: number
}): Promise<ShownImage[]> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, waitMs))
  // Of a source without sizes, and of the image itself.
  const setsOf = (image: HTMLImageElement) => {
    const sources = [...(image.closest('picture')?.querySelectorAll('source') ?? [])]
    return [image, ...sources].flatMap(({ sizes, srcset }) => (sizes === '' ? [srcset] : []))
  }
  const shown = [...document.images].map(async (image) => {
    const { width, height } = image.getBoundingClientRect()
    // It was not loaded.
    if (image.loading === 'lazy' && (width === 0 || height === 0)) return null
    // Not of the element, whose measures are those of the file by its density.
    const file = new Image()
    file.src = image.currentSrc || image.src
    await Promise.race([file.decode().catch(() => {}), late])
    const { aspectRatio, position } = getComputedStyle(image)
    const isPlaced = position === 'absolute' || position === 'fixed'
    const isSized = image.hasAttribute('width') && image.hasAttribute('height')
    return {
      url: file.src,
      fileWidth: file.naturalWidth,
      fileHeight: file.naturalHeight,
      width,
      height,
      hasMeasures: isSized || isPlaced || aspectRatio !== 'auto',
      lacksSizes: setsOf(image).some((set) => /\s\d+w\b/.test(set)),
      isLate: image === first,
    }
  })
  const images = (await Promise.all(shown)).filter((image) => image !== null)
  const bytes = new Map<string, number>()
  for (const entry of performance.getEntriesByType('resource')) {
    const { name, encodedBodySize } = entry as PerformanceResourceTiming
    bytes.set(name, Math.max(bytes.get(name) ?? 0, encodedBodySize))
  }
  return images
    .filter(({ url }) => url !== '' && !url.startsWith('data:'))
    .map((image) => ({ ...image, bytes: bytes.get(image.url) ?? 0 }))
}
