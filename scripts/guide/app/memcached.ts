import type { CacheDriver } from 'waymark/drivers'

export function createMemcachedDriver(url: string | undefined): CacheDriver {
  throw new Error(`No server at ${url}`)
}

export function emptyServer(): string {
  return 'memcached://localhost'
}
