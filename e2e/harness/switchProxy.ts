import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A simple load balancer in front of several servers. */
export type SwitchProxy = {
  readonly origin: string
  /**
   * Sets the function that chooses a server for each request. `turn` is the number of the request.
   */
  choose(by: (target: string, turn: number) => string): void
  /** All requests in order, each with the origin of the chosen server. */
  readonly requests: readonly { readonly target: string; readonly origin: string; status: number }[]
  stop(): Promise<void>
}

/**
 * Starts a load balancer.
 * @param first origin of the server that gets all requests until `choose` is called
 * @param options `retries` is the maximum number of times that a request without a response is sent
 * again, each time to a new choice; `isRetried` decides by method if a request may be repeated,
 * which is true by default
 */
export async function startSwitchProxy(
  first: string,
  {
    retries = 0,
    isRetried = () => true,
  }: { retries?: number; isRetried?: (method: string | undefined) => boolean } = {},
): Promise<SwitchProxy> {
  let choice: (target: string, turn: number) => string = () => first
  let turn = 0
  const requests: { target: string; origin: string; status: number }[] = []
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const target = req.url ?? '/'
    const chooseNext = untried(() => choice(target, turn++))
    const attempt = (left: number): void => {
      const origin = chooseNext()
      const note = { target, origin, status: 0 }
      requests.push(note)
      const { hostname, port } = new URL(origin)
      const { method, headers } = req
      const up = send({ hostname, port, path: target, method, headers, agent: false }, (answer) => {
        note.status = answer.statusCode ?? 0
        res.writeHead(note.status, answer.rawHeaders)
        answer.pipe(res)
        answer.on('error', () => res.destroy())
      })
      up.on('error', () => {
        if (res.headersSent) res.destroy()
        else if (left > 0) attempt(left - 1)
        else res.writeHead(502).end('502 no server')
      })
      res.on('close', () => res.writableFinished || up.destroy())
      up.end(body)
    }
    attempt(isRetried(req.method) ? retries : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    requests,
    choose(by) {
      choice = by
      turn = 0
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Skips servers that have already been tried for a request. Other requests also advance the choice,
 * so the same server may be chosen again.
 */
function untried(choose: () => string): () => string {
  const tried = new Set<string>()
  return () => {
    let origin = choose()
    for (let more = 8; tried.has(origin) && more > 0; more--) origin = choose()
    tried.add(origin)
    return origin
  }
}
