import { basePath as basePathOfApp, trailingSlash } from 'waymark'

type Accessor = Required<Pick<PropertyDescriptor, 'get' | 'set'>>

function accessorOf(name: keyof URL): Accessor {
  return Object.getOwnPropertyDescriptor(URL.prototype, name) as Accessor
}

const { get: getPathname, set: setPathname } = accessorOf('pathname')

/** The URL of a request, which can be changed, and copied. Its pathname is without `basePath`. */
export class NextURL extends URL {
  /** Empty for a URL outside of it. */
  readonly basePath: string
  readonly locale = ''
  readonly defaultLocale: string | undefined = undefined
  readonly buildId: string | undefined = undefined
  readonly trailingSlash = trailingSlash

  #originOfRequest: string | null = null
  #isOriginWritten = false

  static {
    // `url.host = …` may write the same host again, and then the URL is the app's and not the request's.
    for (const name of ['href', 'protocol', 'host', 'hostname', 'port'] as const) {
      const { get, set } = accessorOf(name)
      Object.defineProperty(NextURL.prototype, name, {
        get,
        set(this: NextURL, value: string) {
          this.#isOriginWritten = true
          set.call(this, value)
        },
      })
    }
  }

  /** The URL of a request that a client has sent. */
  static ofRequest(href: string): NextURL {
    const url = new NextURL(href)
    url.#originOfRequest = url.origin
    return url
  }

  /** True for the URL of a request, and copies of it, as long as nothing has written its origin. */
  static isOfRequest(url: unknown): boolean {
    return url instanceof NextURL && url.#originOfRequest !== null && !url.#isOriginWritten
  }

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
    const copy = new NextURL(this.href, undefined, this.basePath)
    copy.#originOfRequest = this.#originOfRequest
    copy.#isOriginWritten = this.#isOriginWritten
    return copy
  }
}
