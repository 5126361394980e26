import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** A response, with the time at which each chunk of its text arrived. */
export type TimedAnswer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /**
   * Returns the milliseconds from the request until the body contained a text, or infinity if it
   * never did.
   */
  cameAfterMs(text: string): number
}

/** Options of a request, including headers that `fetch` would not send. */
export type RequestOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Certificate of the authority to trust, for `https:`. */
  readonly certificate?: string | null
  /** True to close the connection after the first chunk. */
  readonly leaves?: boolean
}

/** Sends a request to a server, and records when each chunk of the response arrives. */
export function timedRequest(url: string, options: RequestOptions = {}): Promise<TimedAnswer> {
  const { method = 'GET', headers = {}, body, certificate, leaves = false } = options
  const isSecure = url.startsWith('https:')
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const send = isSecure ? requestHttps : requestHttp
    const nodeOptions = {
      method,
      headers,
      agent: false,
      ...(certificate ? { ca: certificate } : {}),
    }
    const sent = send(url, nodeOptions, (answer) => {
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
    // Ignore later errors, because the server may refuse a request and close the connection before
    // the whole request is sent.
    sent.on('error', reject)
    sent.end(body)
  })
}
