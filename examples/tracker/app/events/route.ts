import { onChange } from '../../live/changes.ts'
import { readUser } from '../../session.ts'

/** Interval of comment lines, which keep proxies from closing the connection. */
const pingMs = 20_000
/**
 * Maximum number of events that wait for a slow client. The client refreshes anyway when it reads the
 * next event.
 */
const maxUnread = 100

export async function GET(request: Request): Promise<Response> {
  // Respond with a 204, after which an `EventSource` doesn't reconnect.
  if (!(await readUser())) return new Response(null, { status: 204 })
  const encoder = new TextEncoder()
  let end = () => {}
  const events = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) > -maxUnread) controller.enqueue(encoder.encode(text))
      }
      const stop = onChange(() => send('data: changed\n\n'))
      const ping = setInterval(() => send(': still here\n\n'), pingMs)
      end = () => {
        stop()
        clearInterval(ping)
      }
      send(': hello\n\n')
    },
    cancel: () => end(),
  })
  request.signal.addEventListener('abort', () => end())
  return new Response(events, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}
