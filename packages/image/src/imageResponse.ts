import type { ReactNode } from 'react'
import type { ExtractedPictures, ParsedElement } from './embeddedPictures.ts'
import { createFontRegistry, type ImageFont } from './imageFonts.ts'

declare module 'react' {
  // As takumi-js declares it: the two must not differ.
  interface DOMAttributes<T> {
    /** Classes of Tailwind, in images only. */
    tw?: string
  }
}

/** How an image is drawn and sent. */
export type ImageResponseOptions = {
  /** In pixels. Default: 1200. */
  readonly width?: number
  /** In pixels. Default: 630. */
  readonly height?: number
  /** Default: `png`. */
  readonly format?: 'png' | 'jpeg' | 'webp'
  /** Files in TTF, OTF, WOFF or WOFF2, variable ones too. One font is there without them. */
  readonly fonts?: readonly ImageFont[]
  /** Style sheets for the class names of the elements. */
  readonly css?: string | readonly string[]
  /** Default: `from-font`. Any other name fetches pictures of emoji from a public server. */
  readonly emoji?: string
  /**
   * Where pictures within the image, JPEG, PNG or WebP, may come from besides the public network: prefixes
   * of URLs, such as `http://localhost:9000/logos/`. Other addresses of private networks are refused.
   */
  readonly privateSources?: readonly string[]
  readonly status?: number
  readonly headers?: HeadersInit
}

/**
 * An image drawn from JSX: flex and grid, CSS in `style`, Tailwind in `tw`, components with and
 * without `async`. It is drawn whole before a route handler sends its status.
 */
export class ImageResponse extends Response {
  /** Resolves once the image is drawn; rejects with what made it fail. */
  readonly ready: Promise<void>

  constructor(element: ReactNode, options: ImageResponseOptions = {}) {
    const { status = 200, headers, format = 'png' } = options
    const here = new Error('here').stack
    const drawing = drawImage(element, options).catch((error) => {
      throw withPlace(error, here)
    })
    const body = new ReadableStream({
      async start(controller) {
        try {
          controller.enqueue(await drawing)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
      },
    })
    const sent = new Headers(headers)
    if (!sent.has('content-type')) sent.set('content-type', `image/${format}`)
    super(body, { status, headers: sent })
    this.ready = drawing.then(() => {})
    // Who reads the body gets it, too.
    this.ready.catch(() => {})
  }
}

/** Tells, behind the frames of what failed, which code wanted the image. */
function withPlace(error: unknown, stack = ''): unknown {
  const isError = error instanceof Error
  const thrown = isError ? error : new Error(String(error))
  const frames = stack.split('\n').slice(1)
  const appFrames = thrown.stack
    ?.split('\n')
    .filter((line) => !/takumi|^ +at (?:async )?native/.test(line))
  thrown.stack = [...(appFrames ?? []), ...frames].join('\n')
  return thrown
}

// Pictures within the image are fetched meanwhile.
const drawWithinMs = 30_000

/** Of a card: twice as many as a screen has. */
const mostPixels = 16e6

/** @throws Error where takumi-js can't be loaded, or for an element that it can't draw */
async function drawImage(element: ReactNode, options: ImageResponseOptions): Promise<Uint8Array> {
  const { width = 1200, height = 630, format = 'png', emoji = 'from-font', fonts } = options
  const { render, fromJsx, fromHtml, extractEmojis, prepareImages } = await loadTakumi()
  checkSize(width, height)
  const isHtml = typeof element === 'string'
  const parsed = isHtml ? fromHtml(element) : await fromJsx(element)
  const pictures = await createPictures(options)
  const styleSheets = [...toList(options.css), ...parsed.css]
  const extracted = await pictures.extract({ node: parsed.node, css: styleSheets, isHtml })
  const { css, sources, hasDrawing } = extracted
  // Its types name each emoji provider.
  const node =
    emoji === 'from-font'
      ? extracted.node
      : extractEmojis(extracted.node, emoji as Parameters<typeof extractEmojis>[1])
  const images = await prepareImages({
    node,
    sources: [...sources],
    fetch: pictures.fetch,
    signal: AbortSignal.timeout(drawWithinMs),
  })
  const base = { width, height, format, ...(css.length > 0 && { css: [...css] }) }
  if (hasDrawing && pictures.draw) {
    return pictures.draw({ node, options: { ...base, ...(fonts && { fonts }) }, images })
  }
  const image = await render(node, {
    ...base,
    emoji: 'from-font',
    ...(fonts && { fonts: await Promise.all(fonts.map(registeredFont)) }),
    images: { sources: images, allowUrl: () => false },
    // Its types name each combination of formats.
  } as Parameters<typeof render>[1])
  if (image.byteLength === 0) throw new Error('takumi-js drew an image without bytes.')
  return image
}

/** Four bytes for each pixel are in memory: no visitor may choose how many. */
function checkSize(width: number, height: number): void {
  const isWhole = [width, height].every((side) => Number.isInteger(side) && side > 0)
  if (isWhole && width * height <= mostPixels) return
  throw new Error(
    `ImageResponse got the size ${width} × ${height}. Both are whole numbers above 0, of at most ${mostPixels} pixels together.`,
  )
}

async function loadTakumi() {
  try {
    const [{ render }, { prepareImages }, { extractEmojis }, { fromJsx }, { fromHtml }] =
      await Promise.all([
        import('takumi-js'),
        import('takumi-js/helpers'),
        import('takumi-js/helpers/emoji'),
        import('takumi-js/helpers/jsx'),
        import('takumi-js/helpers/html'),
      ])
    return { render, fromJsx, fromHtml, extractEmojis, prepareImages }
  } catch (cause) {
    throw new Error(
      'ImageResponse draws with the machine code of @takumi-rs/core, which could not be loaded. Run npm install @waymark/image where the app runs.',
      { cause },
    )
  }
}

function toList(css: ImageResponseOptions['css']): readonly string[] {
  if (css === undefined) return []
  return typeof css === 'string' ? [css] : css
}

/** Visitors may have chosen pictures, so that neither the private network nor our memory is for them. */
async function createPictures({ privateSources = [] }: ImageResponseOptions) {
  // A worker's `fetch` reaches the networks that its configuration names, and no other. It has no
  // processes; its own memory is bounded.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') {
    const extract = async ({ node, css }: ParsedElement): Promise<ExtractedPictures> => {
      return { node, css, sources: [], hasDrawing: false }
    }
    return { fetch: globalThis.fetch, extract, draw: null }
  }
  const [{ createCardFetch, decodeEmbedded }, { extractPictures }, { drawInProcess }] =
    await Promise.all([
      import('./cardPictures.ts'),
      import('./embeddedPictures.ts'),
      import('./drawing.ts'),
    ])
  const extract = (element: ParsedElement) => extractPictures(element, decodeEmbedded)
  return { fetch: createCardFetch(privateSources), extract, draw: drawInProcess }
}

const registeredFont = createFontRegistry()
