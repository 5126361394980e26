import { definePackage, type PackagePlugin } from 'waymark/plugin'

/**
 * The Vite plugin of `@waymark/redis`: servers store their cache and their error journal in Redis or
 * Valkey when `WAYMARK_REDIS_URL` is set.
 */
export function redis(): PackagePlugin {
  return definePackage('@waymark/redis', () => ({
    stores: { WAYMARK_REDIS_URL: new URL('./openDrivers.js', import.meta.url) },
  }))
}
