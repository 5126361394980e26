/** Path that the app is mounted at, `/docs`; empty for the root, and in a unit test. Vite writes it in. */
export const basePath: string = import.meta.env?.WAYMARK_BASE_PATH ?? ''

/** Whether the URLs of pages end with a slash. Vite writes it in. */
export const trailingSlash: boolean = Boolean(import.meta.env?.WAYMARK_TRAILING_SLASH)

// The conditions name the variables, so that the code of an app at the root has none of this.

/** Writes a path of the app as browsers have it; anything else stays as it is. */
export function withBasePath(path: string): string {
  const whole = import.meta.env?.WAYMARK_BASE_PATH ? mounted(path, basePath) : path
  return import.meta.env?.WAYMARK_TRAILING_SLASH ? withSlash(whole, basePath) : whole
}

/** Writes a path as the app has it: without the base. `null` for what is not of the app. */
export function withoutBasePath(path: string): string | null {
  const inner = import.meta.env?.WAYMARK_BASE_PATH ? unmounted(path, basePath) : path
  return import.meta.env?.WAYMARK_TRAILING_SLASH && inner !== null ? withoutSlash(inner) : inner
}

/**
 * Writes a path of the app as browsers have it. What names no path from the root stays as it is:
 * `?a`, `#a`, `https://…`, and `//host`, which others refuse.
 * @param base path that the app is mounted at, `/docs`; empty for the root
 */
export function mounted(path: string, base: string): string {
  if (base === '' || !/^\/(?!\/)/.test(path)) return path
  return base + path.replace(/^\/(?=[?#]|$)/, '')
}

/**
 * Takes the base off a path as browsers have it.
 * @param path with or without a query
 * @returns `null` for what lies outside: `/docsx` is not below `/docs`
 */
export function unmounted(path: string, base: string): string | null {
  if (base === '') return path
  const rest = path.slice(base.length)
  if (!path.startsWith(base) || !/^(?:[/?#]|$)/.test(rest)) return null
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Ends a path of the app with a slash, as browsers have it where the app's URLs do. A name with a dot
 * is that of a file, and those of the framework stay as they are.
 * @param base that the path has
 */
export function withSlash(path: string, base: string): string {
  const [, pathname = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? []
  const isOfApp =
    /^\/(?!\/)/.test(path) && !/^\/(?:_waymark|\.well-known)\//.test(path.slice(base.length))
  return isOfApp && /\/[^/.]+$/.test(pathname) ? `${pathname}/${rest}` : path
}

/** Takes a slash off the end of a pathname, with or without a query; that of the root stays. */
export function withoutSlash(path: string): string {
  return path.replace(/^([^?#]*[^/?#])\/(?=[?#]|$)/, '$1')
}
