import type { TestRequest } from '@waymark/testing'
import { draftCookie, internalPrefix, pagePathnameOf } from 'waymark/plugin/node'
import { draftNote } from '../contract/access.ts'
import { ContractProblem } from '../contract/contractProblem.ts'
import { exchangeAtCanonicalUrl, type ProbeResponse } from './exchange.ts'

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

export type Sender = {
  readonly personas: readonly string[]
  send(probe: Probe): Promise<ProbeResponse>
  /** Asks for a WebSocket. The status is 101 if the app accepts. */
  upgrade(probe: Pick<Probe, 'persona' | 'path'>): Promise<ProbeResponse>
}

/** A response, for checks of its content. */
export type ObservedResponse = { readonly probe: Probe; readonly response: ProbeResponse }

/** Headers of a navigation, of a request by code of a page, and of a WebSocket, as browsers send them. */
const fetchMetadata = {
  document: {
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
  },
  code: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
  socket: {
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'websocket',
    'sec-fetch-site': 'same-origin',
  },
}

const maxListed = 8

/**
 * Sends requests to a served build as its personas.
 * @param onResponse called for each response
 */
export function createSender(
  { origin, basePath }: { readonly origin: string; readonly basePath: string },
  personas: Personas,
  onResponse: (observed: ObservedResponse) => void,
): Sender {
  const credentialsOf = (persona: string) => {
    const { cookies = {}, headers = {} } = personas.get(persona) ?? {}
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    return { ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}), ...headers }
  }
  const unanswered = new Set<string>()
  return {
    personas: [...personas.keys()],
    async send(probe) {
      const { persona, path, method = 'GET', body = null, headers = {} } = probe
      const isSafe = method === 'GET' || method === 'HEAD'
      // The code of a page says what it accepts.
      const isNavigation = isSafe && headers.accept === undefined
      const response = await exchangeAtCanonicalUrl({
        url: origin + basePath + path,
        method,
        body,
        headers: {
          accept: 'text/html,*/*',
          ...(isNavigation ? fetchMetadata.document : fetchMetadata.code),
          ...(isSafe ? {} : { origin }),
          ...credentialsOf(persona),
          ...headers,
        },
      }).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'ECONNREFUSED') throw cause
        const some = [...unanswered].slice(-maxListed).join(', ') || 'none'
        const message = `The app's process ended. Requests without a response: ${some}.`
        throw new ContractProblem(message, { cause })
      })
      if (response.status === 0) unanswered.add(`${method} ${path}`)
      onResponse({ probe, response })
      return response
    },
    upgrade({ persona, path }) {
      return exchangeAtCanonicalUrl({
        url: origin + basePath + path,
        method: 'GET',
        body: null,
        headers: {
          ...fetchMetadata.socket,
          origin,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'd2F5bWFyayBjb250cmFjdA==',
          ...credentialsOf(persona),
        },
      })
    },
  }
}

/** Describes a response: `200`, `307 to /enter`. */
export function describeResponse({ status, headers }: ProbeResponse): string {
  if (status === 0) return 'no response'
  const location = headers.get('location')
  const to = location === null ? '' : ` to ${pathOf(location)}`
  // A response that turns draft mode off sets the cookie without a value.
  const turnsOnDraft = headers.getSetCookie().some((line) => {
    return line.startsWith(`${draftCookie}=`) && !line.startsWith(`${draftCookie}=;`)
  })
  return `${status}${to}${turnsOnDraft ? `, ${draftNote}` : ''}`
}

// Leave out the query, which often contains the page to return to. Page data redirects to the URL of
// other page data, so use the URL of the page.
function pathOf(location: string): string {
  const url = new URL(location, 'http://waymark.invalid')
  const path = pageOfData(url.pathname)
  return url.hostname === 'waymark.invalid' ? path : url.origin + path
}

/** Returns the path of the page for the path of page data, which may begin with a base path. */
function pageOfData(pathname: string): string {
  const at = pathname.indexOf(internalPrefix)
  const page = at === -1 ? null : pagePathnameOf(pathname.slice(at))
  if (page === null) return pathname
  const basePath = pathname.slice(0, at)
  return page === '/' ? basePath || '/' : basePath + page
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
