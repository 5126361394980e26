import type { RouterCore } from '../running.ts'
import type { ServerCall } from './calls.ts'

const retryMs = 2000

/**
 * Gives the result of a call. Where the code that sends it can't be had, it waits: what was
 * submitted is not lost with the network.
 */
export async function untilCallSettles(
  router: () => Promise<RouterCore>,
  call: ServerCall,
): Promise<unknown> {
  for (;;) {
    const running = await router().catch(() => null)
    if (running) return running.answer(call)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
