/** Bytes of a font file, optionally with a name, weight and style that the file doesn't contain. */
export type ImageFont =
  | ArrayBuffer
  | Uint8Array
  | {
      readonly data: ArrayBuffer | Uint8Array
      readonly name?: string
      readonly weight?: number
      readonly style?: 'normal' | 'italic'
    }

/**
 * Creates a function that returns the same object for fonts with equal content. Otherwise, memory
 * would grow, because takumi-js never releases a registered font object, and apps read their font
 * files again for each request.
 */
export function createFontRegistry(): (font: ImageFont) => Promise<ImageFont> {
  const registeredFonts = new Map<string, ImageFont>()
  return async (font) => {
    const { data, name = '', weight = '', style = '' } = 'data' in font ? font : { data: font }
    // Copy the bytes, because `digest` doesn't accept the type of a buffer that may be shared
    // between threads.
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(data))
    const key = JSON.stringify([[...new Uint8Array(hash)], name, weight, style])
    const first = registeredFonts.get(key) ?? font
    registeredFonts.set(key, first)
    return first
  }
}
