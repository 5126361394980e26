import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Served } from '../describeModes.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

/**
 * Puts a proxy before the app of a suite, quiet again after each test.
 * @param paths of pages that a dev server is asked for before: what it does once for each is not
 *   what a test of faults is about
 */
export function proxyBefore(
  served: Served,
  paths: readonly string[],
): { readonly now: FaultProxy } {
  let proxy: FaultProxy | null = null
  const now = () => {
    if (!proxy) throw new Error('The proxy runs within tests only.')
    return proxy
  }
  beforeAll(async () => {
    proxy = await startFaultProxy(served.app.origin)
    if (served.mode === 'production') return
    for (const path of paths) await served.fetch(path).then((response) => response.text())
  })
  afterEach(() => now().clear())
  afterAll(() => now().stop())
  return {
    get now() {
      return now()
    },
  }
}
