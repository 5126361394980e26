import { mounted, unmounted } from './mountPath.ts'
import { pagePathnameOf, payloadUrl } from './protocol.ts'

/** Path that the app is mounted at, `/docs`; empty for the root. Vite writes it in. */
export const basePath: string = import.meta.env.WAYMARK_BASE_PATH ?? ''

/** Writes a path of the app as browsers have it; anything else stays as it is. */
export const withBasePath = (path: string): string => mounted(path, basePath)

/** Takes the base off a path as browsers have it; `null` for what is not of the app. */
export const withoutBasePath = (path: string): string | null => unmounted(path, basePath)

/** The URL of the data of a page: `payloadUrl`, as browsers have it. */
export function pageDataUrl({ pathname, search }: { pathname: string; search: string }): string {
  return withBasePath(payloadUrl(withoutBasePath(pathname) ?? pathname, search))
}

/** The inverse of `pageDataUrl`; `null` for what is no page data. */
export function pageOfDataUrl(pathname: string): string | null {
  const page = pagePathnameOf(withoutBasePath(pathname) ?? '')
  return page === null ? null : withBasePath(page)
}
