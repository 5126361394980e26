import { basePath as basePathOfApp, trailingSlash } from 'waymark'

type Accessor = Required<Pick<PropertyDescriptor, 'get' | 'set'>>

function accessorOf(name: keyof URL): Accessor {
  return Object.getOwnPropertyDescriptor(URL.prototype, name) as Accessor
}

const { get: getPathname, set: setPathname } = accessorOf('pathname')

/** URL of a request. It can be changed and copied. Its pathname doesn't include `basePath`. */
export class NextURL extends URL {
  /** The app's base path; empty for a URL outside the base path. */
  readonly basePath: string
  readonly locale = ''
  readonly defaultLocale: string | undefined = undefined
  readonly buildId: string | undefined = undefined
  readonly trailingSlash = trailingSlash

  #originOfRequest: string | null = null
  #isOriginWritten = false

  static {
    // Remember that the app has set the host, even to the same value. The app then trusts this
    // host, which the client would otherwise have chosen.
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

  /** Creates the URL of a request that a client has sent. */
  static ofRequest(href: string): NextURL {
    const url = new NextURL(href)
    url.#originOfRequest = url.origin
    return url
  }

  /** True for a request's URL and its copies, unless code has set the origin. */
  static isOfRequest(url: unknown): boolean {
    return url instanceof NextURL && url.#originOfRequest !== null && !url.#isOriginWritten
  }

  /** @param basePath only for tests */
  constructor(input: string | URL, base?: string | URL, basePath: string = basePathOfApp) {
    super(input, base)
    const whole: string = getPathname.call(this)
    const isInside = `${whole}/`.startsWith(`${basePath}/`)
    this.basePath = isInside ? basePath : ''
    const length = this.basePath.length
    // TypeScript doesn't allow accessors to override the platform's `pathname`, so define it on the
    // instance.
    Object.defineProperty(this, 'pathname', {
      get: () => getPathname.call(this).slice(length) || '/',
      set: (pathname: string) => {
        const path = `/${String(pathname).replace(/^\//, '')}`
        setPathname.call(this, length > 0 && path === '/' ? this.basePath : this.basePath + path)
      },
    })
  }

  /** Returns a copy that can be changed. */
  clone(): NextURL {
    const copy = new NextURL(this.href, undefined, this.basePath)
    copy.#originOfRequest = this.#originOfRequest
    copy.#isOriginWritten = this.#isOriginWritten
    return copy
  }
}
