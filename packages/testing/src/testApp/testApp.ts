import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalEntry } from 'waymark/drivers'
import { cacheStatusHeader, digestHeader, parseDuration } from 'waymark/plugin/node'
import { buildWhenNeeded } from '../drill/buildWhenNeeded.ts'
import { type CacheWrite, serveBuild } from '../drill/builtApp.ts'
import { findForm, payloadText, type TestForm } from './testHtml.ts'

/** How an app is served to tests. */
export type TestAppOptions = {
  /** Added to the environment of the app: `{ DATABASE_URL: '…' }` */
  readonly env?: Readonly<Record<string, string>>
  /** `never`: the build that is there is served, however old. Default: built when files changed. */
  readonly build?: 'when-needed' | 'never'
  /** What the clock of the app says at its start: `'2030-01-01'`. Default: the true time. */
  readonly now?: Date | string | number
}

/** What a request of a test carries. */
export type TestRequest = {
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Method, headers and body of a request. */
export type TestRequestInit = TestRequest & {
  /** Default: `GET`. */
  readonly method?: string
  readonly body?: RequestInit['body']
}

/** A response, and what the server did for it. */
export type TestResponse = {
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly html: string
  /** The payload in the document, one row of React's Flight a line; `null` where there is none. */
  readonly payload: string | null
  /** Of the error that is the response, if it is one; the digest of `thrown`, too. */
  readonly digest: string | null
  /** What was thrown meanwhile, as the journal has it. */
  readonly thrown: readonly JournalEntry[]
  /** What was cached meanwhile; requests at the same time share it. */
  readonly cached: readonly CacheWrite[]
  /** True if the page came from the page cache. */
  readonly cacheStatus: string | null
  /** The cookies that the request had, and those that the response sets. */
  readonly cookies: Readonly<Record<string, string>>
  /**
   * Finds a form of the page, to send with `act`.
   * @param which its id, or a text in it; the only one when left out
   * @throws an `Error` with the forms that there are
   */
  form(which?: string): TestForm
}

/** An app as it runs in production, without a browser. */
export type TestApp = {
  /** `http://localhost:PORT` */
  readonly origin: string
  /** Requests a path. Redirects are not followed. */
  get(path: string, request?: TestRequest): Promise<TestResponse>
  /**
   * Sends a request with any method and body, for example to a route handler. Unless the method is GET
   * or HEAD, the request has the `Origin` header of the app's own pages. Redirects are not followed.
   */
  send(path: string, request: TestRequestInit): Promise<TestResponse>
  /**
   * Sends a form as a browser without scripts does, hidden fields and cookies included.
   * @param input by the names of its fields; what is left out has the value that the page gave it
   */
  act(
    form: TestForm,
    input?: Readonly<Record<string, string | Blob>>,
    request?: TestRequest,
  ): Promise<TestResponse>
  /** The clock of the app, which runs on by itself. */
  readonly clock: {
    /**
     * Sets it ahead, and runs the timers that are due by then.
     * @param duration milliseconds, or a text: `30s`, `15m`, `1h`, `7d`
     */
    advance(duration: number | string): Promise<void>
  }
  /** Lists all errors so far, those of browsers included. */
  thrown(): Promise<readonly JournalEntry[]>
  /** What the app has printed. */
  log(): string
  close(): Promise<void>
}

/**
 * Serves the production build of an app to tests, in a process of its own: what tests change in
 * theirs does not reach it. Cache and journal are in memory, and begin empty.
 * @param root of the app: a path or a `file:` URL
 */
export async function testApp(root: string | URL, options: TestAppOptions = {}): Promise<TestApp> {
  const folder = resolve(root instanceof URL ? fileURLToPath(root) : root)
  if (options.build !== 'never') await buildWhenNeeded(folder)
  const app = await serveBuild(folder, { env: options.env, startMs: startOf(options.now) })
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
  if (Number.isNaN(startMs)) throw new Error(`now is ${now}, which is no date. Write '2030-01-01'.`)
  return startMs
}

function durationMs(duration: number | string): number {
  const ms = typeof duration === 'number' ? duration : parseDuration(duration)
  if (ms !== null && ms >= 0 && Number.isFinite(ms)) return ms
  throw new Error(
    `The clock can't advance by ${duration}. Write milliseconds, or '30s', '15m', '1h'.`,
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
