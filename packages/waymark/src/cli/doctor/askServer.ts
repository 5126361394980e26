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
} from '../../shared/doctor.ts'

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
