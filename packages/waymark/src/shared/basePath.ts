/** Path that the app is mounted at, `/docs`; empty for the root, and in a unit test. Vite writes it in. */
export const basePath: string = import.meta.env?.WAYMARK_BASE_PATH ?? ''

// The conditions name the variable, so that the code of an app at the root has none of this.

/** Writes a path of the app as browsers have it; anything else stays as it is. */
export function withBasePath(path: string): string {
  return import.meta.env?.WAYMARK_BASE_PATH ? mounted(path, basePath) : path
}

/** Takes the base off a path as browsers have it; `null` for what is not of the app. */
export function withoutBasePath(path: string): string | null {
  return import.meta.env?.WAYMARK_BASE_PATH ? unmounted(path, basePath) : path
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
