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

/**
 * Creates a function that gives the same object for fonts of equal content: takumi-js registers each
 * object for good, and cards read their files anew for each request.
 */
export function createFontRegistry(): (font: ImageFont) => Promise<ImageFont> {
  const registeredFonts = new Map<string, ImageFont>()
  return async (font) => {
    const { data, name = '', weight = '', style = '' } = 'data' in font ? font : { data: font }
    // A copy is typed as one that is not shared between threads.
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(data))
    const key = JSON.stringify([[...new Uint8Array(hash)], name, weight, style])
    const first = registeredFonts.get(key) ?? font
    registeredFonts.set(key, first)
    return first
  }
}
