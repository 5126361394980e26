import { createCache } from '../../../waymark/src/cache/cache.ts'
import type { CacheDriver } from '../../../waymark/src/cache/cacheDriver.ts'
import { createMemoryDriver } from '../../../waymark/src/cache/memoryCacheDriver.ts'
import { toServerRequest } from '../../../waymark/src/http/web.ts'
import { createKeyRing } from '../../../waymark/src/rsc/action/encryption.ts'
import { refresh } from '../../../waymark/src/rsc/pageCache/revalidate.ts'
import { cookies, headers } from '../../../waymark/src/rsc/request/api.ts'
import { currentRequest } from '../../../waymark/src/rsc/request/currentRequest.ts'
import {
  createScope,
  type RequestPhase,
  responseHeaders,
  runInScope,
} from '../../../waymark/src/rsc/request/scope.ts'
import type { Platform } from '../platform.ts'

/** A platform with a clock that tests set, and a browser that stores cookies. */
export function createTestApp({
  secrets = ['a secret of the tests, long enough'],
  driver = createMemoryDriver(),
  isProduction = false,
}: {
  secrets?: [string, ...string[]]
  driver?: CacheDriver | null
  isProduction?: boolean
} = {}) {
  const clock = { nowMs: Date.now() }
  const memory = createMemoryDriver()
  const warnings: string[] = []
  const cache = createCache({ memory: createMemoryDriver(), report() {} })
  if (driver) cache.attach(driver)
  const app: Platform = {
    cookies,
    headers,
    refresh,
    currentRequest,
    appCache: () => cache,
    memory: () => memory,
    secrets: () => secrets,
    createKeyRing,
    now: () => clock.nowMs,
    isProduction,
    warn: (line) => warnings.push(line),
  }

  function createBrowser() {
    const jar = new Map<string, string>()
    const lines: string[] = []

    /** Runs code in a request of this browser, and stores the cookies of its response. */
    async function run<T>(
      phase: RequestPhase,
      code: () => T | Promise<T>,
      request: {
        readonly headers?: Record<string, string>
        readonly url?: string
        readonly client?: string
      } = {},
    ): Promise<T> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const sent = { ...(cookie && { cookie }), ...request.headers }
      const web = new Request(request.url ?? 'https://site.test/', { headers: sent })
      const serverRequest = { ...toServerRequest(web), remoteAddress: request.client ?? null }
      const url = { pathname: web.url.replace('https://site.test', ''), search: '' }
      const scope = createScope({
        request: serverRequest,
        url,
        phase,
        cache,
        onAfterError: () => '',
      })
      const result = await runInScope(scope, code)
      for (const [, line] of responseHeaders(scope)) store(line)
      return result
    }

    function store(line: string): void {
      lines.push(line)
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }

    return {
      jar,
      /** All `set-cookie` lines so far. */
      lines,
      /** Stores the cookies of a response, as of a slow one that arrives late. */
      receive: (late: readonly string[]) => late.forEach(store),
      act: <T>(code: () => T | Promise<T>, request?: Parameters<typeof run>[2]) =>
        run('action', code, request),
      render: <T>(code: () => T | Promise<T>, request?: Parameters<typeof run>[2]) =>
        run('render', code, request),
      run,
    }
  }

  return { app, clock, warnings, createBrowser }
}
