/** The small types that the fields of `Metadata` are made of. */

/** Every field may be left out, `undefined` or `null`. */
export type Optional<T> = { [K in keyof T]?: T[K] | null | undefined }

/** One, or a list. */
export type Many<T> = T | readonly T[]

/** An address: absolute, or relative to `metadataBase` where the field has to be absolute. */
export type UrlInput = string | URL

/** A title: text, or an object that also shapes the titles below. */
export type TitleInput =
  | string
  | {
      /** The title of this segment, and of those below that have none. */
      default?: string | undefined
      /** Wraps the titles of segments below; `%s` stands for the title. */
      template?: string | null | undefined
      /** The title of this segment, whatever template a layout above has set. */
      absolute?: string | undefined
    }

/** A title after its template. */
export type ResolvedTitle = {
  /** The text to show. */
  readonly absolute: string
  /** For the titles of segments below. */
  readonly template: string | null
}
