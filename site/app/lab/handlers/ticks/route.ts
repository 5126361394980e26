import { setTimeout as sleep } from 'node:timers/promises'

const encoder = new TextEncoder()
const count = 10

/** Sends ten lines, one every 400 ms. */
export function GET(): Response {
  let tick = 0
  let isCancelled = false
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (tick > 0) await sleep(400)
      if (isCancelled) return
      tick++
      const time = new Date().toISOString().slice(11, 23)
      controller.enqueue(encoder.encode(`tick ${tick} at ${time}\n`))
      if (tick === count) controller.close()
    },
    cancel() {
      isCancelled = true
      console.log(`The client disconnected after tick ${tick}.`)
    },
  })
  return new Response(lines, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}
