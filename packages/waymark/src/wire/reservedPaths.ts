import { errorBeaconPath } from './errorReport.ts'
import {
  assetsPrefix,
  clearCookiesPath,
  dataPrefix,
  dataSuffix,
  healthPrefix,
  internalPrefix,
} from './protocol.ts'

/**
 * Paths at which Waymark responds, without the app's base path. Servers compare requests with these
 * paths, and packages can't use them for endpoints. A path that ends with a slash reserves
 * everything below it.
 */
export const reservedPaths = {
  data: `${dataPrefix}/`,
  dataOfRoot: `${dataPrefix}${dataSuffix}`,
  assets: assetsPrefix,
  errors: errorBeaconPath,
  health: healthPrefix,
  clearCookies: clearCookiesPath,
  metrics: `${internalPrefix}metrics`,
  notFound: `${internalPrefix}not-found`,
  // The dev server uses the paths below this one.
  dev: `${internalPrefix}dev/`,
  devtools: `${internalPrefix}devtools/`,
  events: `${internalPrefix}events`,
  file: `${internalPrefix}file`,
  mcp: `${internalPrefix}mcp`,
} as const

/** True if a pathname is reserved. @param pathname the pathname without the app's base path */
export function isReservedPath(pathname: string): boolean {
  return Object.values(reservedPaths).some((reserved) => matchesReservedPath(reserved, pathname))
}

/** True if a value of `reservedPaths` covers a pathname. */
export function matchesReservedPath(reserved: string, pathname: string): boolean {
  return reserved.endsWith('/') ? pathname.startsWith(reserved) : pathname === reserved
}
