import { definePackage, type PackagePlugin } from 'waymark/plugin'

/**
 * Vite plugin of `@waymark/redis`. If `WAYMARK_REDIS_URL` is set, servers store their cache and their error
 * journal in Redis or Valkey.
 */
export function redis(): PackagePlugin {
  return definePackage('@waymark/redis', () => ({
    stores: { WAYMARK_REDIS_URL: new URL('./openDrivers.js', import.meta.url) },
  }))
}
