/** Options of `i18n()`. */
export type I18nOptions = {
  /** BCP 47 tags, such as `en` or `pt-BR`. The first is the default language. */
  readonly locales: readonly [string, ...string[]]
  /**
   * `always`: each URL begins with its language, and the server redirects other URLs to the language
   * that the visitor prefers. `as-needed`: URLs in the default language have no prefix. Default:
   * `always`
   */
  readonly prefix?: 'always' | 'as-needed'
  /** Folder with a JSON file for each language, below the app's root. Default: `messages` */
  readonly messages?: string
  /**
   * Translated paths, by path below `app/[locale]`, then by language:
   * `{ '/about': { de: '/ueber-uns' } }`. Params keep their names.
   */
  readonly pathnames?: Pathnames
  /** IANA name of the time zone in which dates are written, such as `Europe/Berlin`. Default: `UTC` */
  readonly timeZone?: string
  /**
   * `warn`: a build prints mistakes in messages, and in the links between the languages of a page.
   * `error`: these mistakes also stop the build. Default: `warn`
   */
  readonly checks?: 'warn' | 'error' | 'off'
}

export type Pathnames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The options that server and browsers use, with their defaults. */
export type I18nConfig = Required<Omit<I18nOptions, 'messages' | 'checks'>>

export function defaultLocaleOf({ locales }: I18nConfig): string {
  return locales[0]
}
