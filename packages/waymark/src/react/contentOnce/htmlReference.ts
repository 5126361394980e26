/**
 * What a document's payload does not say, because the HTML around it does: elements of its own, by
 * their place. `referToHtml.ts` leaves them out, `readFromHtml.ts` reads them
 * from the DOM, before React sees the payload.
 */
export type HtmlReference = readonly [
  /** Index of the node that its path begins at. */
  origin: number,
  /** XPath of the element. */
  path: string,
  /** Of all that is read: texts, attributes, tags. */
  size: number,
  shape: Shape,
]

/** An element that stands in several places of a payload, as a row has it. */
export type RepeatedElement = readonly ['$', ...unknown[]]

/** What a payload starts with that has references. */
export type HtmlReferences = readonly [
  /** Names of properties by attribute, where they differ. */
  names: Readonly<Record<string, string>>,
  /** XPaths from the payload's block on. */
  origins: readonly string[],
  ...references: readonly (HtmlReference | RepeatedElement)[],
]

/**
 * What the DOM does not tell of a node: nothing (0); several in an array; of an element its key
 * alone (a string), or with properties and children (`k`, `p`, `c`); a child that is a number, or
 * shows nothing (`n`); in place of children, that they are HTML of the app (`h`).
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

/** Stands in a row for the reference of that index, as JSON. No string of the app begins so. */
export const referencePrefix = '$~'

/** In a size, for each character. */
export const characterSize = 61

/** What a text or name adds to a size: not its length alone, which is that of many. */
export function sizeOf(text: string): number {
  const { length } = text
  const some = (text.charCodeAt(0) & 127) * 7 + (text.charCodeAt(length >> 1) & 127)
  return length * characterSize + some
}
