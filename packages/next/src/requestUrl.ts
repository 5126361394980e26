/** The URL of a request, which can be changed, and copied. */
export class NextURL extends URL {
  readonly basePath = ''
  readonly locale = ''
  readonly defaultLocale: string | undefined = undefined
  readonly buildId: string | undefined = undefined
  readonly trailingSlash = false

  /** A copy, to be changed. */
  clone(): NextURL {
    return new NextURL(this.href)
  }
}
