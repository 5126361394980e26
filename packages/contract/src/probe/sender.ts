import type { TestRequest } from '@waymark/testing'
import { draftNote } from '../contract/access.ts'

/** The credentials of each persona, by name. */
export type Personas = ReadonlyMap<string, TestRequest>

export type Probe = {
  readonly persona: string
  /** Path and query, without the base path. */
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

export type ProbeResponse = {
  readonly status: number
  readonly headers: Headers
  /** The beginning of the body, at most `maxBodyBytes` long. */
  readonly body: string
}

export type Sender = {
  readonly personas: readonly string[]
  send(probe: Probe): Promise<ProbeResponse>
  /** Asks for a WebSocket. @returns the status, which is 101 if the app accepts */
  upgrade(probe: Pick<Probe, 'persona' | 'path'>): Promise<number>
}

/** A response, for checks of its content. */
export type ObservedResponse = { readonly probe: Probe; readonly response: ProbeResponse }

const responseWithinMs = 10_000
// A stream may stay open, so stop reading after this time.
const bodyWithinMs = 1_000
const maxBodyBytes = 4_000_000

/** Sends requests to a served build as its personas. */
export function createSender(
  { origin, basePath }: { readonly origin: string; readonly basePath: string },
  personas: Personas,
  onResponse: (observed: ObservedResponse) => void,
): Sender {
  const headersOf = ({ persona, method = 'GET', headers = {} }: Omit<Probe, 'path'>) => {
    const { cookies = {}, headers: own = {} } = personas.get(persona) ?? {}
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    return {
      accept: 'text/html,*/*',
      ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}),
      ...(method === 'GET' || method === 'HEAD' ? {} : { origin, 'sec-fetch-site': 'same-origin' }),
      ...own,
      ...headers,
    }
  }
  return {
    personas: [...personas.keys()],
    async send(probe) {
      const { path, method = 'GET', body = null } = probe
      const aborting = new AbortController()
      const timer = setTimeout(() => aborting.abort(), responseWithinMs)
      try {
        const fetched = await fetch(origin + basePath + path, {
          method,
          body,
          headers: headersOf(probe),
          redirect: 'manual',
          signal: aborting.signal,
        })
        const text = await readStart(fetched)
        const response = { status: fetched.status, headers: fetched.headers, body: text }
        onResponse({ probe, response })
        return response
      } catch (cause) {
        throw new Error(`${method} ${path} as ${probe.persona} failed: ${String(cause)}`, { cause })
      } finally {
        clearTimeout(timer)
        aborting.abort()
      }
    },
    upgrade({ persona, path }) {
      const headers = {
        ...headersOf({ persona }),
        origin,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'd2F5bWFyayBjb250cmFjdA==',
      }
      return new Promise((resolve, reject) => {
        const request = process
          .getBuiltinModule('node:http')
          .request(origin + basePath + path, { headers })
        request.setTimeout(responseWithinMs, () => request.destroy(new Error('no response')))
        request.on('error', reject)
        request.on('response', (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        request.on('upgrade', (response, socket) => {
          socket.on('error', () => {})
          socket.destroy()
          resolve(response.statusCode ?? 101)
        })
        request.end()
      })
    },
  }
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  const ending = setTimeout(() => void reader.cancel().catch(() => {}), bodyWithinMs)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || size > maxBodyBytes) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch {
    // The app cut the body, which is part of what the client gets.
  } finally {
    clearTimeout(ending)
    void reader.cancel().catch(() => {})
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Describes a response: `200`, `307 to /enter`. */
export function describeResponse({ status, headers }: ProbeResponse): string {
  const location = headers.get('location')
  const to = location === null ? '' : ` to ${pathOf(location)}`
  const turnsOnDraft = headers.getSetCookie().some((line) => /^__waymark_draft=[^;]/.test(line))
  return `${status}${to}${turnsOnDraft ? `, ${draftNote}` : ''}`
}

// Leave out the query, which often contains the page to return to. Page data redirects to the URL of
// other page data, so use the URL of the page.
function pathOf(location: string): string {
  const url = new URL(location, 'http://waymark.invalid')
  const path = url.pathname.replace(/\/_waymark\/data(.*)\.rsc$/, '$1') || '/'
  return url.hostname === 'waymark.invalid' ? path : url.origin + path
}

/** Runs tasks, a few at a time. */
export async function runAll<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
  lanes = 8,
): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
