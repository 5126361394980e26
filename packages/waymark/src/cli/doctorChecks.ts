import { randomBytes } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import {
  type DoctorQuestion,
  type DoctorReport,
  doctorHeader,
  doctorPath,
  isSame,
  proveAnswer,
  writeQuestion,
} from '../shared/doctorProof.ts'

/** One thing in which servers have to agree. */
export type Check = {
  readonly name: 'build' | 'keyRing' | 'actions' | 'clock' | 'cache' | 'invalidation'
  readonly isOk: boolean
  readonly text: string
  /** What to look at, where they don't. */
  readonly details: readonly string[]
  /** Milliseconds, of what is measured. */
  readonly ms?: number
}

type Server = { readonly url: string; readonly told: readonly ServerReport[] }

/** More would show: entries expire by the clock of who reads them. */
const longestClockMs = 1_000
/** What a revalidation may take to be seen by all. */
const longestInvalidationMs = 1_000

/** Checks that all servers say the same. */
export function sameCheck(
  name: Check['name'],
  what: string,
  servers: readonly Server[],
  read: (report: DoctorReport) => string,
): Check {
  const valuesOf = ({ told }: Server) => [...new Set(told.map(({ report }) => read(report)))]
  const values = new Set(servers.flatMap(valuesOf))
  const [only] = values
  if (values.size === 1) return { name, isOk: true, text: `same ${what}: ${only}`, details: [] }
  const details = servers.map((server) => `${server.url}: ${valuesOf(server).join(', ')}`)
  return { name, isOk: false, text: `${values.size} different ${what}s`, details }
}

/** Checks how far the servers' clocks are apart. */
export function clockCheck(servers: readonly Server[]): Check {
  const offsets = servers.map((server) => ({ url: server.url, offsetMs: clockOffsetMs(server) }))
  const all = offsets.map(({ offsetMs }) => offsetMs)
  const ms = Math.round(Math.max(...all) - Math.min(...all))
  const isOk = ms <= longestClockMs
  const details = offsets.map(({ url, offsetMs }) => `${url}: ${Math.round(offsetMs)} ms from here`)
  return { name: 'clock', isOk, text: `clocks ${ms} ms apart`, details: isOk ? [] : details, ms }
}

/** Of the exchange that took the least time: halfway through it, the server looked at its clock. */
export function clockOffsetMs({ told }: Pick<Server, 'told'>): number {
  const [best] = [...told].sort((a, b) => roundTrip(a) - roundTrip(b))
  if (!best) return 0
  return best.report.timeMs - (best.askedAtMs + roundTrip(best) / 2)
}

/** Checks that what one server has cached, all have. */
export function sharedCheck(missing: readonly string[], processCount: number): Check {
  const isOk = missing.length === 0
  const text = isOk
    ? `what one has cached, all have (${processCount} ${processCount === 1 ? 'process' : 'processes'})`
    : 'not all have what one has cached'
  return { name: 'cache', isOk, text, details: missing.map((url) => `${url} does not`) }
}

/** Checks how soon all servers see an invalidation. */
export function invalidationCheck(
  urls: readonly string[],
  latencies: readonly (number | null)[],
): Check {
  const ms = Math.max(...latencies.map((each) => each ?? Number.POSITIVE_INFINITY))
  const isOk = ms <= longestInvalidationMs
  const text = Number.isFinite(ms)
    ? `an invalidation was seen by all within ${ms} ms`
    : 'an invalidation was not seen by all'
  const details = urls.map((url, index) => `${url}: ${latencies[index] ?? 'never'} ms`)
  const measured = Number.isFinite(ms) ? { ms } : {}
  return { name: 'invalidation', isOk, text, details: isOk ? [] : details, ...measured }
}

function roundTrip({ askedAtMs, answeredAtMs }: ServerReport): number {
  return answeredAtMs - askedAtMs
}

/** What a server said, and when. */
export type ServerReport = {
  readonly report: DoctorReport
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

/** Asks a server. @throws with what a person can act on */
export type QueryServer = (
  url: string,
  question: DoctorQuestion,
  key: string,
) => Promise<ServerReport>

const timeoutMs = 10_000

/** Makes what asks servers, over a new connection each time: behind one URL, there may be several. */
export function createQueryServer(secret: string): QueryServer {
  return async (url, question, key) => {
    const nonce = randomBytes(12).toString('hex')
    const header = await writeQuestion({ question, key, nonce }, secret, Date.now())
    const askedAtMs = Date.now()
    const { status, proof, body } = await post(new URL(doctorPath, url), header)
    const answeredAtMs = Date.now()
    if (status !== 200) throw new Error(`it answered ${status}. ${refusalHint}`)
    if (!isSame(proof, await proveAnswer(body, nonce, secret))) {
      throw new Error('its answer is not proven: something between here and there made it up')
    }
    return { report: JSON.parse(body) as DoctorReport, askedAtMs, answeredAtMs }
  }
}

const refusalHint =
  'It has no WAYMARK_SECRET or another one, its clock is ten minutes off, or it is no Waymark app'

type Answered = { readonly status: number; readonly proof: string; readonly body: string }

function post(url: URL, header: string): Promise<Answered> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const headers = { [doctorHeader]: header, 'content-length': 0 }
    const asking = send(
      url,
      { method: 'POST', agent: false, headers, timeout: timeoutMs },
      (res) => {
        const pieces: Buffer[] = []
        res.on('data', (piece: Buffer) => pieces.push(piece))
        res.on('error', reject)
        res.on('end', () => {
          const body = Buffer.concat(pieces).toString('utf8')
          const proof = String(res.headers[doctorHeader] ?? '')
          resolve({ status: res.statusCode ?? 0, proof, body })
        })
      },
    )
    asking.on('timeout', () => asking.destroy(new Error(`it was silent for ${timeoutMs / 1000} s`)))
    asking.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code ? new Error(`it can't be reached (${error.code})`) : error),
    )
    asking.end()
  })
}
