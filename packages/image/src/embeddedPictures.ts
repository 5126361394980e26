import type { Node } from 'takumi-js'

/** A picture, and the name that replaces it in the element. */
export type EmbeddedPicture = { readonly src: string; readonly data: Uint8Array }

export type ExtractedPictures = {
  readonly node: Node
  readonly css: readonly string[]
  readonly sources: readonly EmbeddedPicture[]
  /**
   * True if a picture is an SVG, or the element contains SVG markup. Drawing an SVG may
   * take very long.
   */
  readonly hasDrawing: boolean
}

/** An element, parsed from JSX or HTML. */
export type ParsedElement = {
  readonly node: Node
  /** Style sheets for the element. Style sheets may contain pictures, too. */
  readonly css: readonly string[]
  /**
   * True for HTML. An `<svg>` in HTML may come from a visitor, but an `<svg>` in JSX is the app's
   * own.
   */
  readonly isHtml: boolean
}

/** Decodes a picture, and returns an image that is safe to draw in the server's process. */
export type DecodePicture = (content: Buffer) => Promise<Uint8Array>

/**
 * Replaces the pictures in an element with names. Pictures are `data:` URLs in `src` and in styles,
 * and bytes in `src`. Visitors may have chosen these pictures, and takumi-js would decode them in
 * the server's process without any limit.
 * @returns the element with names instead of pictures, and a list with each picture once
 */
export async function extractPictures(
  { node: root, css, isHtml }: ParsedElement,
  decode: DecodePicture,
): Promise<ExtractedPictures> {
  let hasDrawing = false
  const pictures = new Map<string | object, { readonly src: string; readonly content: Buffer }>()

  function nameOf(key: string | object, content: Buffer): string {
    const src = pictures.get(key)?.src ?? `waymark-picture-${pictures.size}`
    pictures.set(key, { src, content })
    return src
  }

  function replaceUrl(url: string): string {
    const content = decodeDataUrl(url)
    return content ? nameOf(url, content) : url
  }

  function replaceInText(text: string): string {
    if (!/data:/i.test(text)) return text
    return text.replace(cssUrl, (whole, ...groups: (string | undefined)[]) => {
      const url = groups.slice(0, 3).find((group) => group !== undefined) ?? ''
      const replaced = replaceUrl(url)
      return replaced === url ? whole : `url(${replaced})`
    })
  }

  function replaceInStyle<Style extends object>(style: Style): Style {
    const replaced = { ...style }
    for (const [name, value] of Object.entries(style)) {
      if (typeof value === 'string') Object.assign(replaced, { [name]: replaceInText(value) })
    }
    return replaced
  }

  function replaceInNode(node: Node): Node {
    const replaced = { ...node }
    if (replaced.style) replaced.style = replaceInStyle(replaced.style)
    if (replaced.tw) replaced.tw = replaceInText(replaced.tw)
    if (replaced.type === 'container' && replaced.children) {
      replaced.children = replaced.children.map(replaceInNode)
    }
    if (replaced.type === 'image') {
      const { src } = replaced
      if (typeof src === 'string') {
        replaced.src = replaceUrl(src.trim())
        hasDrawing ||= isHtml && src.trimStart().startsWith('<')
      }
      if (ArrayBuffer.isView(src) || src instanceof ArrayBuffer) {
        replaced.src = nameOf(src, bytesOf(src))
      }
    }
    return replaced
  }

  const node = replaceInNode(root)
  const sheets = css.map(replaceInText)
  const decoded = [...pictures.values()].map(async ({ src, content }) => {
    if (!isDrawing(content)) return { src, data: await decode(content) }
    hasDrawing = true
    return { src, data: content }
  })
  const sources = await Promise.all(decoded)
  return { node, css: sheets, sources, hasDrawing }
}

const cssUrl = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)/gi

/** @returns the decoded content; `null` if the URL isn't a `data:` URL or can't be decoded */
function decodeDataUrl(url: string): Buffer | null {
  const [, head = '', body] = /^data:([^,]*),(.*)$/is.exec(url) ?? []
  if (body === undefined) return null
  try {
    const bytes = Buffer.from(decodePercents(body), 'latin1')
    return /;\s*base64\s*$/i.test(head) ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes
  } catch {
    return null
  }
}

/**
 * Decodes percent-encoded bytes. Unlike `decodeURIComponent`, accepts bytes that are not valid
 * UTF-8.
 */
function decodePercents(text: string): string {
  const bytes = Buffer.from(text).toString('latin1')
  return bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16))
  })
}

function bytesOf(src: ArrayBuffer | ArrayBufferView): Buffer {
  return src instanceof ArrayBuffer
    ? Buffer.from(src)
    : Buffer.from(src.buffer, src.byteOffset, src.byteLength)
}

/**
 * True for an SVG, which starts with `<`. The raster formats that we decode never start with this
 * character.
 */
function isDrawing(content: Buffer): boolean {
  return /^\s*</.test(content.toString('utf8', 0, 100).replace(/^\ufeff/, ''))
}
