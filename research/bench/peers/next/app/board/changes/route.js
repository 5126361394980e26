import { onChange } from '../board.mjs'

export const dynamic = 'force-dynamic'

export function GET(request) {
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start(controller) {
      const send = (text) => controller.enqueue(encoder.encode(text))
      const stop = onChange(() => send('data: changed\n\n'))
      const ping = setInterval(() => send(':\n\n'), 15_000)
      send(':\n\n')
      request.signal.addEventListener('abort', () => {
        stop()
        clearInterval(ping)
      })
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}
