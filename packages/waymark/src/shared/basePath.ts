import { mounted, unmounted, withoutSlash, withSlash } from './mountPath.ts'

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
