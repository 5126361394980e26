import { requestHeader } from './appMap.ts'
import { createClient, type Outcome } from './exchange.ts'
import type { AttackRequest } from './request.ts'
import { watchStalls } from './stallWatch.ts'
import type { Target } from './target.ts'

/** A request of a run. */
export type Attack = { readonly index: number; readonly request: AttackRequest }

/** A request with its outcome. */
export type Attacked = Attack & {
  readonly outcome: Outcome
  readonly endedMs: number
  /** Index of the previous request on the same connection, or `null` for the first one. */
  readonly before: number | null
}

export type BatchOutcome = {
  readonly attacked: readonly Attacked[]
  /** Requests that were running while the server was busy and sent nothing. */
  readonly stalled: readonly Attack[]
  /** True if the server stopped listening, so that the rest of the batch was not sent. */
  readonly isRefused: boolean
}

const withinMs = 8_000

/**
 * Sends a batch of requests over several connections.
 * @param attacks requests to send, created lazily while the batch runs
 */
export async function sendBatch(
  target: Target,
  attacks: Iterable<Attack>,
  connections: number,
): Promise<BatchOutcome> {
  const waiting = attacks[Symbol.iterator]()
  const attacked: Attacked[] = []
  const underWay = new Set<Attack>()
  const stalled = new Set<Attack>()
  let isRefused = false
  const watch = watchStalls(target.cpuMs, () => {
    for (const attack of underWay) stalled.add(attack)
  })

  async function send(): Promise<void> {
    const client = createClient({ port: target.port, withinMs, onArrival: watch.arrived })
    let before: number | null = null
    while (!isRefused) {
      const next = waiting.next()
      if (next.done) break
      const attack = next.value
      underWay.add(attack)
      const name = String(attack.index)
      const outcome = await client.exchange(attack.request, [[requestHeader, name]])
      underWay.delete(attack)
      if (outcome.kind === 'refused') isRefused = true
      else attacked.push({ ...attack, outcome, endedMs: performance.now(), before })
      before = outcome.kind === 'answered' ? attack.index : null
    }
    client.close()
  }

  await Promise.all(Array.from({ length: connections }, send))
  watch.stop()
  return { attacked, stalled: [...stalled], isRefused }
}
