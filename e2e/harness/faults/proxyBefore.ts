import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Served } from '../describeModes.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

/**
 * Puts a proxy in front of a suite's app. After each test, the proxy causes no faults any more.
 * @param paths pages to request from a dev server first, so that its one-time work does not disturb a
 *   test of faults
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
