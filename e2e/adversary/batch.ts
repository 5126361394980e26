import { requestHeader } from './appMap.ts'
import { createClient, type Outcome } from './exchange.ts'
import type { AttackRequest } from './request.ts'
import { watchStalls } from './stallWatch.ts'
import type { Target } from './target.ts'

/** A request of a run. */
export type Attack = { readonly index: number; readonly request: AttackRequest }

/** What came of it. */
export type Attacked = Attack & {
  readonly outcome: Outcome
  readonly endedMs: number
  /** Index of the request before it on the same connection; `null` for the first one. */
  readonly before: number | null
}

/** What came of a batch. */
export type BatchOutcome = {
  readonly attacked: readonly Attacked[]
  /** Those that were under way while the server worked and sent nothing. */
  readonly stalled: readonly Attack[]
  /** Nobody listened any more: the rest was not sent. */
  readonly isRefused: boolean
}

const withinMs = 8_000

/**
 * Sends a batch of requests over a number of connections.
 * @param attacks are made while they are sent
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
