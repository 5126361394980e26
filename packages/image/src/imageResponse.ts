import type { ReactNode } from 'react'
import type { Node } from 'takumi-js'

declare module 'react' {
  // As takumi-js declares it: the two must not differ.
  interface DOMAttributes<T> {
    /** Classes of Tailwind, in images only. */
    tw?: string
  }
}

/** A file of a font: its bytes, and what it is called by where the file does not say it. */
export type ImageFont =
  | ArrayBuffer
  | Uint8Array
  | {
      readonly data: ArrayBuffer | Uint8Array
      readonly name?: string
      readonly weight?: number
      readonly style?: 'normal' | 'italic'
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
  const own = thrown.stack
    ?.split('\n')
    .filter((line) => !/takumi|^ +at (?:async )?native/.test(line))
  thrown.stack = [...(own ?? []), ...frames].join('\n')
  return thrown
}

// Pictures within the image are fetched meanwhile.
const drawWithinMs = 30_000

/** @throws Error where takumi-js can't be loaded, or for an element that it can't draw */
async function drawImage(element: ReactNode, options: ImageResponseOptions): Promise<Uint8Array> {
  const { width = 1200, height = 630, format = 'png', emoji = 'from-font', fonts } = options
  const { render, fromJsx, fromHtml } = await loadTakumi()
  const parsed = typeof element === 'string' ? fromHtml(element) : await fromJsx(element)
  const pictures = await createPictures(options)
  const { node, sources } = await pictures.extract(parsed.node)
  const css = [...toList(options.css), ...parsed.css]
  const image = await render(node, {
    ...{ width, height, format, emoji },
    ...(fonts && { fonts: await Promise.all(fonts.map(registeredFont)) }),
    ...(css.length > 0 && { css }),
    images: { fetch: pictures.fetch, sources },
    signal: AbortSignal.timeout(drawWithinMs),
    // Its types name each emoji provider and each combination of formats.
  } as Parameters<typeof render>[1])
  if (image.byteLength === 0) throw new Error('takumi-js drew an image without bytes.')
  return image
}

async function loadTakumi() {
  try {
    const [{ render }, { fromJsx }, { fromHtml }] = await Promise.all([
      import('takumi-js'),
      import('takumi-js/helpers/jsx'),
      import('takumi-js/helpers/html'),
    ])
    return { render, fromJsx, fromHtml }
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
    return { fetch: globalThis.fetch, extract: async (node: Node) => ({ node, sources: [] }) }
  }
  const [{ createCardFetch, decodeEmbedded }, { extractPictures }] = await Promise.all([
    import('./cardPictures.ts'),
    import('./embeddedPictures.ts'),
  ])
  const extract = (node: Node) => extractPictures(node, decodeEmbedded)
  return { fetch: createCardFetch(privateSources), extract }
}

/**
 * Creates a function that gives the same object for fonts of equal content: takumi-js registers each
 * object for good, and cards read their files anew for each request.
 */
export function createFontRegistry(): (font: ImageFont) => Promise<ImageFont> {
  const known = new Map<string, ImageFont>()
  return async (font) => {
    const { data, name = '', weight = '', style = '' } = 'data' in font ? font : { data: font }
    // A copy is typed as one that is not shared between threads.
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(data))
    const key = JSON.stringify([[...new Uint8Array(hash)], name, weight, style])
    const first = known.get(key) ?? font
    known.set(key, first)
    return first
  }
}

const registeredFont = createFontRegistry()
