import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Served } from '../describeModes.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

/**
 * Puts a proxy in front of a suite's app, and removes the proxy's faults after each test.
 * @param paths pages to request from a dev server first, so that its one-time work doesn't disturb
 * a test
 */
export function proxyBefore(
  served: Served,
  paths: readonly string[],
): { readonly now: FaultProxy } {
  let proxy: FaultProxy | null = null
  const now = () => {
    if (!proxy) throw new Error('The proxy runs only within tests.')
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
