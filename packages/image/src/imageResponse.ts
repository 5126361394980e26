import type { ReactNode } from 'react'
import { currentRequest } from 'waymark/plugin/server'
import type { ExtractedPictures, ParsedElement } from './embeddedPictures.ts'
import { createFontRegistry, type ImageFont } from './imageFonts.ts'
import { createGlyphCheck } from './missingGlyphs.ts'

declare module 'react' {
  // This declaration of `DOMAttributes` must be identical to the one in takumi-js.
  interface DOMAttributes<T> {
    /** Tailwind classes. These classes only work in images that `ImageResponse` draws. */
    tw?: string
  }
}

/** Options for drawing and sending an image. */
export type ImageResponseOptions = {
  /** Width in pixels. Default: 1200. */
  readonly width?: number
  /** Height in pixels. Default: 630. */
  readonly height?: number
  /** Format of the image. Default: `png`. */
  readonly format?: 'png' | 'jpeg' | 'webp'
  /** Font files in TTF, OTF, WOFF or WOFF2, including variable fonts. Default: a built-in font. */
  readonly fonts?: readonly ImageFont[]
  /** Style sheets for the class names that the elements use. */
  readonly css?: string | readonly string[]
  /**
   * Emoji set. Default: `from-font`. With any other set, emoji pictures are fetched from a public
   * server.
   */
  readonly emoji?: string
  /**
   * URL prefixes on private networks, such as `http://localhost:9000/logos/`, from which pictures
   * in the image may be loaded. All other private addresses are refused. The public network is
   * always allowed. Pictures must be JPEG, PNG or WebP.
   */
  readonly privateSources?: readonly string[]
  readonly status?: number
  readonly headers?: HeadersInit
}

/**
 * A response with an image that is drawn from JSX, for route handlers. Supports flex and grid, CSS
 * in `style`, Tailwind classes in `tw`, and sync and async components. A route handler sends its
 * status after the whole image has been drawn.
 * @param element JSX, or a string with HTML
 *
 * @example
 * ```tsx
 * export const GET = () => new ImageResponse(<h1 tw="text-6xl">Hello</h1>)
 * ```
 */
export class ImageResponse extends Response {
  /** Resolves once the image has been drawn. Rejects with the error if drawing fails. */
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
    // Don't report an unhandled rejection, because readers of the body get the same error.
    this.ready.catch(() => {})
  }
}

/**
 * Adds the caller's stack to the error, because the error's own stack doesn't contain the caller
 * when drawing is asynchronous.
 */
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

// Milliseconds after which drawing fails, including the time to fetch the image's pictures.
const drawWithinMs = 30_000

/** Largest number of pixels in a card: twice as many as a 4K screen has. */
const mostPixels = 16e6

/** @throws Error if takumi-js can't be loaded or can't draw the element */
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
  // takumi-js's type lists each emoji provider, so cast.
  const node =
    emoji === 'from-font'
      ? extracted.node
      : extractEmojis(extracted.node, emoji as Parameters<typeof extractEmojis>[1])
  const images = await prepareImages({
    node,
    sources: [...sources],
    fetch: leaveGaps(pictures.fetch),
    signal: AbortSignal.timeout(drawWithinMs),
  })
  const registered = await Promise.all((fonts ?? []).map(registeredFont))
  const pathname = currentRequest()?.pathname ?? null
  await warnOfMissingGlyphs({ node, fonts: registered, pathname })
  const base = { width, height, format, ...(css.length > 0 && { css: [...css] }) }
  if (hasDrawing && pictures.draw) {
    return pictures.draw({ node, options: { ...base, ...(fonts && { fonts }) }, images })
  }
  const image = await render(node, {
    ...base,
    emoji: 'from-font',
    ...(fonts && { fonts: registered }),
    images: { sources: images, allowUrl: () => false },
    // takumi-js's type lists each combination of formats, so cast.
  } as Parameters<typeof render>[1])
  if (image.byteLength === 0) throw new Error('takumi-js returned an empty image.')
  return image
}

/**
 * Limits the image's size, because each pixel takes four bytes of memory, and visitors may be able
 * to influence the size.
 */
function checkSize(width: number, height: number): void {
  const isWhole = [width, height].every((side) => Number.isInteger(side) && side > 0)
  if (isWhole && width * height <= mostPixels) return
  throw new Error(
    `ImageResponse got the size ${width} × ${height}. Use whole numbers above 0, and at most ${mostPixels} pixels in total.`,
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
      'ImageResponse could not load the native code of @takumi-rs/core. Install @waymark/image on the machine that runs the app.',
      { cause },
    )
  }
}

function toList(css: ImageResponseOptions['css']): readonly string[] {
  if (css === undefined) return []
  return typeof css === 'string' ? [css] : css
}

/**
 * Creates the functions that handle pictures. Visitors may have chosen the pictures, so loading
 * them must not reach the private network or fill the server's memory.
 */
async function createPictures({ privateSources = [] }: ImageResponseOptions) {
  // Load pictures with plain `fetch` in a worker. Workers have no child processes, but their
  // `fetch` only reaches the networks that the configuration allows, and their memory is limited.
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

type FetchPicture = (
  input: string,
  init?: { readonly signal?: AbortSignal | null },
) => Promise<Response>

/**
 * Puts a transparent pixel in place of each picture that doesn't arrive or that is refused, and logs
 * a line for it. A missing avatar must not make a card or a whole build fail. A picture that exceeds
 * the time limit is still an error.
 */
function leaveGaps(fetchPicture: FetchPicture): FetchPicture {
  return async (input, init) => {
    let reason: string
    try {
      const response = await fetchPicture(input, init)
      if (response.ok) return response
      reason = `the response has the status ${response.status}`
    } catch (error) {
      // A `RemoteImageError` with this status took too long to decode.
      const isTimeout = error instanceof Error && 'status' in error && error.status === 504
      if (isTimeout || init?.signal?.aborted) throw error
      reason = error instanceof Error ? error.message : String(error)
    }
    const url = JSON.stringify(input.slice(0, 200))
    console.warn(`ImageResponse left a gap, because it can't fetch the picture ${url}: ${reason}.`)
    return new Response(Uint8Array.from(atob(transparentPixel), (each) => each.charCodeAt(0)))
  }
}

/** A PNG of one pixel, in base64. */
const transparentPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII='

const registeredFont = createFontRegistry()

const findMissingGlyphs = createGlyphCheck(async (text, fonts) => {
  const { render } = await loadTakumi()
  const size = { width: 40, height: 40, format: 'raw', emoji: 'from-font' } as const
  const style = { fontSize: 24, color: 'black' }
  return render({ type: 'text', text, style }, { ...size, fonts: [...fonts] })
})

/** Logs characters that would be empty boxes. The card is drawn nevertheless, because the rest of it is right. */
async function warnOfMissingGlyphs(card: Parameters<typeof findMissingGlyphs>[0]): Promise<void> {
  const message = await findMissingGlyphs(card)
  if (message !== null) console.warn(message)
}
