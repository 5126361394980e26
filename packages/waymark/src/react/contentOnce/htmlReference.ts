/**
 * An element that a document's payload leaves to the HTML around it, by its place. `referToHtml.ts`
 * leaves it out, `readFromHtml.ts` reads it from the DOM, before React sees the payload.
 */
export type HtmlReference = readonly [
  origin: number,
  path: string,
  /** Sum of all texts, attributes and tags that were read. */
  size: number,
  shape: Shape,
]

export type RepeatedElement = readonly ['$', ...unknown[]]

/** First line of a payload with references. */
export type HtmlReferences = readonly [
  /** Property names by attribute name, where they differ. */
  names: Readonly<Record<string, string>>,
  /** XPaths relative to the payload's script element. */
  origins: readonly string[],
  ...references: readonly (HtmlReference | RepeatedElement)[],
]

/**
 * What the DOM does not say about a node: nothing (0); an array of several nodes; an element's key
 * (a string), or its key, properties and children (`k`, `p`, `c`); a child that is a number or
 * renders nothing (`n`); children that are raw HTML of the app (`h`).
 */
export type Shape =
  | 0
  | string
  | readonly Shape[]
  | {
      readonly k?: string
      readonly p?: Readonly<Record<string, unknown>>
      readonly c?: Shape
    }
  | { readonly n: unknown }
  | { readonly h: 1 }

/** Begins the string that stands for an element. No string of the app begins with it. */
export const referencePrefix = '$~'

export const characterSize = 61

/** A hash, because many texts have the same length. */
export function sizeOf(text: string): number {
  const { length } = text
  const some = (text.charCodeAt(0) & 127) * 7 + (text.charCodeAt(length >> 1) & 127)
  return length * characterSize + some
}
