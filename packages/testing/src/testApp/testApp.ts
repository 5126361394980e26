import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalEntry } from 'waymark/drivers'
import { cacheStatusHeader, digestHeader, parseDuration } from 'waymark/plugin/node'
import { buildWhenNeeded } from '../drill/buildWhenNeeded.ts'
import { type CacheWrite, type ServedBuild, serveBuild } from '../drill/builtApp.ts'
import { findForm, payloadText, type TestForm } from './testHtml.ts'

/** Options of `testApp()`. */
export type TestAppOptions = {
  /** Environment variables to add for the app: `{ DATABASE_URL: '…' }` */
  readonly env?: Readonly<Record<string, string>>
  /**
   * With `never`, the existing build is served, even if it is out of date. By default, the app is
   * built if its files have changed.
   */
  readonly build?: 'when-needed' | 'never'
  /** Start time of the app's clock, such as `'2030-01-01'`. Default: the current time. */
  readonly now?: Date | string | number
}

/** Cookies and headers of a request. */
export type TestRequest = {
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Method, headers and body of a request. */
export type TestRequestInit = TestRequest & {
  /** Method of the request. Default: `GET`. */
  readonly method?: string
  readonly body?: RequestInit['body']
}

/** A response, together with the errors and cache writes that the request caused. */
export type TestResponse = {
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly html: string
  /**
   * The document's payload, with one row of React's Flight format per line; `null` if the document
   * doesn't contain a payload.
   */
  readonly payload: string | null
  /**
   * Digest of the error that caused this response, or `null`. `thrown` contains the same digest.
   */
  readonly digest: string | null
  /** Errors during the request, as in the journal. */
  readonly thrown: readonly JournalEntry[]
  /** Cache writes during the request. Writes by concurrent requests are included. */
  readonly cached: readonly CacheWrite[]
  /** Result of the page cache: `hit`, `stale` or `miss`. `null` if the response isn't a page. */
  readonly cacheStatus: string | null
  /** The request's cookies, updated with those that the response sets. */
  readonly cookies: Readonly<Record<string, string>>
  /**
   * Finds a form in the page. You can submit the form with `act`.
   * @param which the form's `id` or `name`, or text in the form. You can leave this out if the page
   * has only one form.
   * @throws Error that lists the page's forms
   */
  form(which?: string): TestForm
}

/** An app that is served as in production, for tests without a browser. */
export type TestApp = {
  /** Origin of the app: `http://localhost:PORT`. */
  readonly origin: string
  /** Requests a path. Redirects are not followed. */
  get(path: string, request?: TestRequest): Promise<TestResponse>
  /**
   * Sends a request with any method and body, for example to a route handler. Unless the method is
   * GET or HEAD, the request has the `Origin` header of the app's own pages. Redirects are not
   * followed.
   */
  send(path: string, request: TestRequestInit): Promise<TestResponse>
  /**
   * Submits a form as a browser without JavaScript does, including hidden fields and cookies.
   * @param input values by field name. All other fields keep their values from the page.
   */
  act(
    form: TestForm,
    input?: Readonly<Record<string, string | Blob>>,
    request?: TestRequest,
  ): Promise<TestResponse>
  /** The app's clock. It runs at normal speed, and can also be advanced. */
  readonly clock: {
    /**
     * Advances the clock, and runs the timers that are due.
     * @param duration milliseconds, or a string such as `30s`, `15m`, `1h` or `7d`
     */
    advance(duration: number | string): Promise<void>
  }
  /** Returns all errors so far, including errors in browsers. */
  thrown(): Promise<readonly JournalEntry[]>
  /** Returns everything that the app has printed. */
  log(): string
  close(): Promise<void>
}

/**
 * Serves the production build of an app in a separate process. Mocks in the test don't affect it.
 * The cache and the journal are in memory and start empty.
 * @param root folder of the app, as a path or a `file:` URL
 * @throws Error if the build fails or the app doesn't start
 *
 * @example
 * ```ts
 * const app = await testApp('.')
 * const { status, html } = await app.get('/')
 * await app.close()
 * ```
 */
export async function testApp(root: string | URL, options: TestAppOptions = {}): Promise<TestApp> {
  const folder = resolve(root instanceof URL ? fileURLToPath(root) : root)
  if (options.build !== 'never') await buildWhenNeeded(folder)
  return createTestApp(
    await serveBuild(folder, { env: options.env, startMs: startOf(options.now) }),
  )
}

/** Creates the functions with which a test sends requests to a served build. */
export function createTestApp(app: ServedBuild): TestApp {
  const send = async (
    path: string,
    { method = 'GET', body = null, cookies = {}, headers = {} }: TestRequestInit,
  ): Promise<TestResponse> => {
    const requestId = randomUUID()
    const cachedBefore = app.cached.length
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    const response = await fetch(new URL(path, app.origin), {
      method,
      body,
      redirect: 'manual',
      headers: {
        accept: 'text/html,*/*',
        'x-request-id': requestId,
        ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}),
        ...(method === 'GET' || method === 'HEAD' ? {} : headersOfPage(app.origin)),
        ...headers,
      },
    })
    const html = await response.text()
    await app.sync()
    const all = { ...cookies, ...cookiesOf(response) }
    return {
      status: response.status,
      headers: response.headers,
      html,
      payload: payloadText(html),
      digest: response.headers.get(digestHeader),
      thrown: app.thrown.filter((entry) => entry.requestId === requestId),
      cached: app.cached.slice(cachedBefore),
      cacheStatus: response.headers.get(cacheStatusHeader),
      cookies: all,
      form: (which) => findForm(html, which, { path, cookies: all }),
    }
  }
  return {
    origin: app.origin,
    get: (path, request = {}) => send(path, request),
    send,
    act(form, input = {}, request = {}) {
      const body = new FormData()
      for (const [name, value] of form.fields) if (!(name in input)) body.append(name, value)
      for (const [name, value] of Object.entries(input)) body.append(name, value)
      const cookies = { ...form.cookies, ...request.cookies }
      return send(form.path, { ...request, cookies, method: 'POST', body })
    },
    clock: { advance: async (duration) => app.advance(durationMs(duration)) },
    thrown: async () => {
      await app.sync()
      return app.thrown
    },
    log: app.log,
    close: app.stop,
  }
}

function headersOfPage(origin: string) {
  return { origin, 'sec-fetch-site': 'same-origin' }
}

function startOf(now: Date | string | number | undefined): number | null {
  if (now === undefined) return null
  const startMs = new Date(now).getTime()
  if (Number.isNaN(startMs))
    throw new Error(`now is ${now}, which is not a valid date. Use a date such as '2030-01-01'.`)
  return startMs
}

function durationMs(duration: number | string): number {
  const ms = typeof duration === 'number' ? duration : parseDuration(duration)
  if (ms !== null && ms >= 0 && Number.isFinite(ms)) return ms
  throw new Error(
    `The clock can't advance by ${duration}. Use a number of milliseconds, or a duration such as '30s', '15m' or '1h'.`,
  )
}

function cookiesOf(response: Response): Record<string, string> {
  const pairs = response.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
  })
  return Object.fromEntries(pairs)
}
