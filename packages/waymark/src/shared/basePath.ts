/**
 * The path at which the app is mounted, such as `/docs`; empty for the root. Vite replaces the environment variable.
 */
export const basePath: string = import.meta.env?.WAYMARK_BASE_PATH ?? ''

/** True if the URLs of pages end with a slash. Vite replaces the environment variable. */
export const trailingSlash: boolean = Boolean(import.meta.env?.WAYMARK_TRAILING_SLASH)

// Use the environment variables directly in conditions, so that the bundle of an app at the root
// doesn't contain the code for base paths.

export function withBasePath(path: string): string {
  const whole = import.meta.env?.WAYMARK_BASE_PATH ? mounted(path, basePath) : path
  return import.meta.env?.WAYMARK_TRAILING_SLASH ? withSlash(whole, basePath) : whole
}

export function withoutBasePath(path: string): string | null {
  const inner = import.meta.env?.WAYMARK_BASE_PATH ? unmounted(path, basePath) : path
  return import.meta.env?.WAYMARK_TRAILING_SLASH && inner !== null ? withoutSlash(inner) : inner
}

/** Adds the base path to a path. Other URLs stay unchanged: `?a`, `#a`, `https://…`, `//host`. */
export function mounted(path: string, base: string): string {
  if (base === '' || !/^\/(?!\/)/.test(path)) return path
  return base + path.replace(/^\/(?=[?#]|$)/, '')
}

/** Removes the base path. Returns `null` for a path outside of it, such as `/docsx` for `/docs`. */
export function unmounted(path: string, base: string): string | null {
  if (base === '') return path
  const rest = path.slice(base.length)
  if (!path.startsWith(base) || !/^(?:[/?#]|$)/.test(rest)) return null
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Adds a slash at the end of a path, except for files (with a dot in the name) and internal paths.
 */
export function withSlash(path: string, base: string): string {
  const [, pathname = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? []
  const isOfApp =
    /^\/(?!\/)/.test(path) && !/^\/(?:_waymark|\.well-known)\//.test(path.slice(base.length))
  return isOfApp && /\/[^/.]+$/.test(pathname) ? `${pathname}/${rest}` : path
}

export function withoutSlash(path: string): string {
  return path.replace(/^([^?#]*[^/?#])\/(?=[?#]|$)/, '$1')
}
