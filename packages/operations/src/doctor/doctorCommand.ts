import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { assetsPrefix } from 'waymark/adapter'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import { loadEnvFiles, parseSecrets, sharedOptions } from 'waymark/plugin/node'
import { isSame } from '../shared/isSame.ts'
import { examine, type Findings, processesOf, type QueryServer } from './doctorChecks.ts'
import { type DoctorReport, doctorHeader, doctorPath, proveAnswer, writeQuestion } from './proof.ts'

// A static import of `node:http` reads all of its exports, and reading `WebSocket` loads fetch.
const { request: requestHttp } = process.getBuiltinModule('node:http')

const { json, mode } = sharedOptions

/** Checks that running servers agree. */
export const doctor = defineCommand({
  details:
    'Compares the builds, keys, actions, clocks, caches and assets of servers that share a WAYMARK_SECRET.',
  operands: '<url...>',
  options: {
    'assets-at': {
      value: 'url',
      parse: (text) => (isHttpUrl(text) ? text : null),
      valid: 'Write https://cdn.example.com',
      text: 'Origin of the host or CDN from which browsers get the assets.',
    },
    json,
    mode,
  },
  mode: 'production',
  async run({ options, terminal }) {
    const { operands: urls = [], json, mode = 'production', 'assets-at': assetsAt = null } = options
    if (urls.length === 0) {
      const example = 'Add them: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000'
      terminal.fail('The URLs of the servers are missing.', example)
      return 2
    }
    const wrong = urls.find((url) => !isHttpUrl(url))
    if (wrong !== undefined) {
      terminal.fail(`${wrong} is not the URL of a server.`, 'Write http://10.0.0.1:3000')
      return 2
    }
    loadEnvFiles(process.cwd(), mode, process.env)
    const [secret] = parseSecrets(process.env)
    if (secret === undefined) {
      terminal.fail(
        "WAYMARK_SECRET isn't set here. Servers only respond to waymark doctor if it uses the same secret.",
        'Set it to the same value as on the servers, in the environment or in .env.',
      )
      return 2
    }
    const tools = { query: createQueryServer(secret), hasAsset, filesOfPage, statusOf, assetsAt }
    const findings = await examine(urls, tools, randomBytes(8).toString('hex'))
    const ok = findings.checks.length > 0 && findings.checks.every(({ isOk }) => isOk)
    if (json) terminal.printJson(toJson(findings, ok))
    else print(findings, terminal)
    return ok ? 0 : 1
  },
})

/** True for an HTTP URL, which may contain a path. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text) && URL.canParse(text)
}

function toJson({ servers, checks }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map((server) => {
      const { url, problem } = server
      return { url, problem, processes: processesOf([server]) }
    }),
    checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })),
  }
}

function print(
  { servers, checks }: Findings,
  { paint, print: line }: CommandInput['terminal'],
): void {
  const mark = (isOk: boolean) => (isOk ? paint.green('✓') : paint.red('✗'))
  for (const { url, problem } of servers) {
    if (problem !== null) line(`${mark(false)} ${url}: ${problem}`)
  }
  for (const { isOk, text, details } of checks) {
    line(`${mark(isOk)} ${text}`)
    for (const detail of details) line(`    ${detail}`)
  }
}

const timeoutMs = 10_000

// Time limit for one request, because a page may stream for any length of time.
const maxExchangeMs = 30_000

/** @param secret secret that authenticates the client to the servers */
function createQueryServer(secret: string): QueryServer {
  return async (url, question, key) => {
    const nonce = randomBytes(12).toString('hex')
    const header = await writeQuestion({ question, key, nonce }, secret, Date.now())
    const sentAtMs = Date.now()
    const { status, proof, body } = await send(new URL(`${url.replace(/\/$/, '')}${doctorPath}`), {
      method: 'POST',
      headers: { [doctorHeader]: header, 'content-length': 0 },
    })
    const receivedAtMs = Date.now()
    if (status !== 200) {
      throw new Error(
        `it responded with ${status}. It has no WAYMARK_SECRET or a different one, its clock is ten minutes off, or it isn't a Waymark app`,
      )
    }
    if (!isSame(proof, await proveAnswer(body, nonce, secret))) {
      throw new Error(
        'the signature of its response is wrong. A proxy may have changed the response',
      )
    }
    return { report: JSON.parse(body) as DoctorReport, sentAtMs, receivedAtMs }
  }
}

async function hasAsset(origin: string, name: string): Promise<boolean> {
  return (await statusOf(`${origin.replace(/\/$/, '')}${assetsPrefix}${name}`)) === 200
}

async function statusOf(url: string): Promise<number | null> {
  try {
    return (await send(new URL(url), { method: 'HEAD' })).status
  } catch {
    // Return `null` if the host can't be reached.
    return null
  }
}

const maxRedirects = 3

async function filesOfPage(server: string): Promise<readonly string[] | null> {
  let url = new URL(`${server.replace(/\/$/, '')}/`)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await send(url, { headers: { accept: 'text/html' } }).catch(() => null)
    if (response === null) return null
    const { status, location, body } = response
    if (status < 300 || status >= 400 || location === '') return namedFiles(body, url)
    const target = new URL(location, url)
    // Don't follow redirects to another site.
    if (target.origin !== url.origin) break
    url = target
  }
  return []
}

/** @returns the URLs of the hashed files to which attributes of a document refer */
export function namedFiles(html: string, documentUrl: URL): string[] {
  const attribute = /\b(?:src|href)="([^"<>\s]+)"/g
  const urls = [...html.matchAll(attribute)].flatMap(([, reference = '']) => {
    if (!reference.includes(assetsPrefix)) return []
    const text = reference.replaceAll('&amp;', '&')
    if (!URL.canParse(text, documentUrl)) return []
    const url = new URL(text, documentUrl)
    return /^https?:$/.test(url.protocol) ? [url.href] : []
  })
  return [...new Set(urls)]
}

// Sends a request without `fetch`, which blocks some ports. Without an agent, each request opens a new
// connection, which may reach a different process.
async function send(url: URL, options: RequestOptions) {
  const sendTo = url.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(maxExchangeMs)
  const request = sendTo(url, { ...options, agent: false, timeout: timeoutMs, signal })
  request.on('timeout', () =>
    request.destroy(new Error(`it did not respond within ${timeoutMs / 1000} s`)),
  )
  // Ignore errors here: they also reject the promises awaited below. Without a listener, an error after
  // the response has begun would crash the process.
  request.on('error', () => {})
  request.end()
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const proof = String(response.headers[doctorHeader] ?? '')
    const location = response.headers.location ?? ''
    return { status: response.statusCode ?? 0, location, proof, body: await text(response) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code ? new Error(`it can't be reached (${code})`) : error
  }
}
