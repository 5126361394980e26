import { onChange } from '../../live/changes.ts'
import { readUser } from '../../session.ts'

/** A line now and then: proxies close connections on which nothing is sent. */
const pingMs = 20_000
/** Events that wait for a client that does not read: it has enough to refresh for. */
const maxUnread = 100

export async function GET(request: Request): Promise<Response> {
  // 204 tells an EventSource to stay away.
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
