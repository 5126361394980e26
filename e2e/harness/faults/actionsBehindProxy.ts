import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type App, startApp } from '../app.ts'
import type { ProxiedRequest } from './fault.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

/** The built app `actions` behind a proxy. Both start before the tests run. */
export type ActionsBehindProxy = {
  readonly app: App
  readonly proxy: FaultProxy
  /** Returns how often a function has run on the server since the server was started. */
  runs(what: string): Promise<number>
}

/** Serves the app `actions` to the tests of a file. Removes the proxy's faults after each test. */
export function actionsBehindProxy(): ActionsBehindProxy {
  let running: { app: App; proxy: FaultProxy } | null = null
  const now = () => {
    if (!running) throw new Error('The app runs only within tests.')
    return running
  }
  beforeAll(async () => {
    const app = await startApp({ app: 'actionsBrowser', mode: 'production' })
    running = { app, proxy: await startFaultProxy(app.origin) }
  })
  afterEach(() => now().proxy.clear())
  afterAll(async () => {
    await now().proxy.stop()
    await now().app.stop()
  })
  return {
    get app() {
      return now().app
    },
    get proxy() {
      return now().proxy
    },
    async runs(what) {
      const all = (await (await fetch(`${now().app.origin}/runs`)).json()) as string[]
      return all.filter((run) => run === what).length
    },
  }
}

/** True if a request calls an action. */
export function ofCall({ method, headers }: ProxiedRequest): boolean {
  return method === 'POST' && 'waymark-action' in headers
}

/** Returns the framework's notice that a call got no response. */
export function notice(page: Page) {
  return page.locator('[data-waymark-notice]')
}
