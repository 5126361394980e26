import { basePath as basePathOfApp, trailingSlash } from 'waymark'

const { get: getPathname, set: setPathname } = Object.getOwnPropertyDescriptor(
  URL.prototype,
  'pathname',
) as Required<Pick<PropertyDescriptor, 'get' | 'set'>>

/** The URL of a request, which can be changed, and copied. Its pathname is without `basePath`. */
export class NextURL extends URL {
  /** Empty for a URL outside of it. */
  readonly basePath: string
  readonly locale = ''
  readonly defaultLocale: string | undefined = undefined
  readonly buildId: string | undefined = undefined
  readonly trailingSlash = trailingSlash

  /** @param basePath for tests */
  constructor(input: string | URL, base?: string | URL, basePath: string = basePathOfApp) {
    super(input, base)
    const whole: string = getPathname.call(this)
    const isInside = `${whole}/`.startsWith(`${basePath}/`)
    this.basePath = isInside ? basePath : ''
    const length = this.basePath.length
    // The platform's own is a property of the prototype, as TypeScript sees it.
    Object.defineProperty(this, 'pathname', {
      get: () => getPathname.call(this).slice(length) || '/',
      set: (pathname: string) => {
        const path = `/${String(pathname).replace(/^\//, '')}`
        setPathname.call(this, length > 0 && path === '/' ? this.basePath : this.basePath + path)
      },
    })
  }

  /** A copy, to be changed. */
  clone(): NextURL {
    return new NextURL(this.href, undefined, this.basePath)
  }
}
