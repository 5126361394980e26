import { randomBytes } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import {
  type DoctorQuestion,
  type DoctorReport,
  doctorHeader,
  doctorPath,
  isSame,
  proveAnswer,
  writeQuestion,
} from '../shared/doctorProof.ts'

/** A property in which servers have to agree. */
export type Check = {
  readonly name: 'build' | 'keyRing' | 'actions' | 'clock' | 'cache' | 'invalidation'
  readonly isOk: boolean
  readonly text: string
  /** The differences, if there are any. */
  readonly details: readonly string[]
  /** Milliseconds, of what is measured. */
  readonly ms?: number
}

/** What a server has reported, and when. */
export type ServerReport = {
  readonly report: DoctorReport
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

type Server = { readonly url: string; readonly reports: readonly ServerReport[] }

// More would matter: entries expire by the clock of the server that reads them.
const maxClockMs = 1_000
const maxInvalidationMs = 1_000

/** Checks that all servers report the same. */
export function checkSame(
  name: Check['name'],
  label: string,
  servers: readonly Server[],
  read: (report: DoctorReport) => string,
): Check {
  const valuesOf = ({ reports }: Server) => [...new Set(reports.map(({ report }) => read(report)))]
  const values = new Set(servers.flatMap(valuesOf))
  const [only] = values
  if (values.size === 1) return { name, isOk: true, text: `same ${label}: ${only}`, details: [] }
  const details = servers.map((server) => `${server.url}: ${valuesOf(server).join(', ')}`)
  return { name, isOk: false, text: `${values.size} different ${label}s`, details }
}

/** Checks how far the servers' clocks are apart. */
export function checkClocks(servers: readonly Server[]): Check {
  const offsets = servers.map(({ url, reports }) => ({ url, offsetMs: clockOffsetMs(reports) }))
  const all = offsets.map(({ offsetMs }) => offsetMs)
  const ms = Math.round(Math.max(...all) - Math.min(...all))
  const isOk = ms <= maxClockMs
  const details = offsets.map(({ url, offsetMs }) => `${url}: ${Math.round(offsetMs)} ms from here`)
  return { name: 'clock', isOk, text: `clocks ${ms} ms apart`, details: isOk ? [] : details, ms }
}

/** Measured by the fastest exchange: halfway through it, the server read its clock. */
export function clockOffsetMs(reports: readonly ServerReport[]): number {
  const roundTripMs = ({ sentAtMs, receivedAtMs }: ServerReport) => receivedAtMs - sentAtMs
  const [fastest] = [...reports].sort((a, b) => roundTripMs(a) - roundTripMs(b))
  return fastest ? fastest.report.timeMs - (fastest.sentAtMs + roundTripMs(fastest) / 2) : 0
}

/** Checks that an entry that one server has cached is found at all. */
export function checkSharedCache(missing: readonly string[], processCount: number): Check {
  const isOk = missing.length === 0
  const processes = `${processCount} ${processCount === 1 ? 'process' : 'processes'}`
  const text = isOk ? `one cache for all (${processes})` : 'not all servers use the same cache'
  return { name: 'cache', isOk, text, details: missing.map((url) => `${url} does not`) }
}

/** Checks how soon all servers see an invalidation. @param latencies `null` for never */
export function checkInvalidation(
  urls: readonly string[],
  latencies: readonly (number | null)[],
): Check {
  const ms = Math.max(...latencies.map((each) => each ?? Number.POSITIVE_INFINITY))
  const isOk = ms <= maxInvalidationMs
  const details = urls.map((url, index) => `${url}: ${latencies[index] ?? 'never'} ms`)
  const check = { name: 'invalidation', isOk, details: isOk ? [] : details } as const
  return Number.isFinite(ms)
    ? { ...check, text: `an invalidation was seen by all within ${ms} ms`, ms }
    : { ...check, text: 'an invalidation was not seen by all' }
}

/** Queries a server. @throws with a message for people */
export type QueryServer = (
  url: string,
  question: DoctorQuestion,
  key: string,
) => Promise<ServerReport>

const timeoutMs = 10_000

/** @param secret proves to the servers who asks */
export function createQueryServer(secret: string): QueryServer {
  return async (url, question, key) => {
    const nonce = randomBytes(12).toString('hex')
    const header = await writeQuestion({ question, key, nonce }, secret, Date.now())
    const sentAtMs = Date.now()
    const { status, proof, body } = await post(new URL(doctorPath, url), header)
    const receivedAtMs = Date.now()
    if (status !== 200) {
      throw new Error(
        `it answered ${status}. It has no WAYMARK_SECRET or another one, its clock is ten minutes off, or it is not a Waymark app`,
      )
    }
    if (!isSame(proof, await proveAnswer(body, nonce, secret))) {
      throw new Error('the signature of its answer is wrong: a proxy may have changed it')
    }
    return { report: JSON.parse(body) as DoctorReport, sentAtMs, receivedAtMs }
  }
}

type Received = { readonly status: number; readonly proof: string; readonly body: string }

// Not `fetch`, which blocks some ports. Without an agent, each request has a connection of its own,
// and can reach another one of several processes.
function post(url: URL, header: string): Promise<Received> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { [doctorHeader]: header, 'content-length': 0 }
  const options = { method: 'POST', agent: false, headers, timeout: timeoutMs } as const
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      const proof = String(response.headers[doctorHeader] ?? '')
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, proof, body }),
        reject,
      )
    })
    request.on('timeout', () =>
      request.destroy(new Error(`it did not answer within ${timeoutMs / 1000} s`)),
    )
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code ? new Error(`it can't be reached (${error.code})`) : error),
    )
    request.end()
  })
}
