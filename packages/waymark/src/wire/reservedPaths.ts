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
 * Paths at which Waymark itself responds, without the app's base path. Servers compare requests with
 * these values, and an endpoint of a package can't have one of them. A value that ends with a slash
 * stands for all paths that begin with it.
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
  // Of the dev server.
  dev: `${internalPrefix}dev/`,
  devtools: `${internalPrefix}devtools/`,
  events: `${internalPrefix}events`,
  file: `${internalPrefix}file`,
  mcp: `${internalPrefix}mcp`,
} as const

/** @param pathname without the app's base path */
export function isReservedPath(pathname: string): boolean {
  return Object.values(reservedPaths).some((reserved) => matchesReservedPath(reserved, pathname))
}

/** True if a value of `reservedPaths` stands for a path. */
export function matchesReservedPath(reserved: string, pathname: string): boolean {
  return reserved.endsWith('/') ? pathname.startsWith(reserved) : pathname === reserved
}
