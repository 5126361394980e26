export type Optional<T> = { [K in keyof T]?: T[K] | null | undefined }

export type Many<T> = T | readonly T[]

/** Absolute, or relative to `metadataBase`. */
export type UrlInput = string | URL

/** A text, or an object that also sets the template of titles below. */
export type TitleInput =
  | string
  | {
      /** The title of this segment, and of segments below without one. */
      default?: string | undefined
      /** Template for titles of segments below; `%s` is the title. */
      template?: string | null | undefined
      /** The title of this segment without a template. */
      absolute?: string | undefined
    }

export type ResolvedTitle = {
  readonly absolute: string
  /** Template for titles of segments below. */
  readonly template: string | null
}
