import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** An answer, and when it came. */
export type TimedAnswer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** When the body so far held a text, in ms since it was asked; infinite where it never did. */
  cameAfterMs(text: string): number
}

/** What is asked of a server. */
export type Asked = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Of the authority that is trusted, for `https:`. */
  readonly certificate?: string | null
  /** Leaves with the first piece. */
  readonly leaves?: boolean
}

/** Asks a server, with headers that `fetch` would not send. */
export function askServer(url: string, asked: Asked = {}): Promise<TimedAnswer> {
  const { method = 'GET', headers = {}, body, certificate, leaves = false } = asked
  const isSecure = url.startsWith('https:')
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const send = isSecure ? requestHttps : requestHttp
    const options = { method, headers, agent: false, ...(certificate ? { ca: certificate } : {}) }
    const sent = send(url, options, (answer) => {
      const { statusCode = 0, headers } = answer
      const soFar: { readonly body: string; readonly afterMs: number }[] = []
      let body = ''
      const end = () =>
        resolve({
          status: statusCode,
          headers,
          body,
          cameAfterMs: (text) => soFar.find((at) => at.body.includes(text))?.afterMs ?? Infinity,
        })
      answer.setEncoding('utf8').on('data', (piece: string) => {
        body += piece
        soFar.push({ body, afterMs: performance.now() - startedMs })
        if (!leaves) return
        sent.destroy()
        end()
      })
      answer.on('end', end)
      answer.on('error', reject)
    })
    // One that is refused early is answered while it is still sent.
    sent.on('error', reject)
    sent.end(body)
  })
}
