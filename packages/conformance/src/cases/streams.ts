import assert from 'node:assert/strict'
import type { CaseGroup } from './case.ts'

/** Milliseconds of the pause that the test app makes between two parts of a response. */
const pauseMs = 1_000

export const streams: CaseGroup = {
  title: 'Streams and connections',
  cases: [
    {
      name: 'a response is sent while it is written',
      needs: ['requests'],
      async run({ send }) {
        const parts = await timeParts(await send('/api?slow'))
        assert.deepEqual(parts.text, 'first second')
        assert.ok(parts.spreadMs > pauseMs * 0.7, `All parts came within ${parts.spreadMs} ms.`)
      },
    },
    {
      name: 'a page is sent before its slow part is ready',
      needs: ['requests'],
      async run({ send }) {
        const response = await send('/streamed', { headers: { accept: 'text/html' } })
        const { text, firstText, spreadMs } = await timeParts(response)
        assert.match(firstText, /shell/)
        assert.doesNotMatch(firstText, /late content/)
        assert.match(text, /late content/)
        assert.ok(spreadMs > pauseMs * 0.7, `All parts came within ${spreadMs} ms.`)
      },
    },
    {
      name: 'a stream of events stays open, and its events arrive one by one',
      needs: ['requests', 'streams'],
      async run({ send }) {
        const response = await send('/events', { headers: { accept: 'text/event-stream' } })
        assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
        const reader = readerOf(response)
        await readUntil(reader, 'first')
        const firstAtMs = performance.now()
        await readUntil(reader, 'second')
        const pausedMs = performance.now() - firstAtMs
        await reader.cancel()
        assert.ok(pausedMs > pauseMs * 0.7, `Both events came within ${Math.round(pausedMs)} ms.`)
      },
    },
    {
      name: 'a WebSocket connects, and messages go both ways',
      needs: ['requests', 'sockets'],
      inBrowser: true,
      async run({ open, socketUrl }) {
        const page = await open('/about')
        const messages = await page.evaluate(exchangeMessages, socketUrl('/socket'))
        assert.deepEqual(messages, ['welcome', 'you: hello'])
      },
    },
  ],
}

/** Runs in the browser. @returns the messages of the server */
function exchangeMessages(url: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const messages: string[] = []
    const socket = new WebSocket(url)
    socket.onerror = () => reject(new Error('The WebSocket failed.'))
    socket.onmessage = ({ data }) => {
      messages.push(String(data))
      if (messages.length === 1) return socket.send('hello')
      socket.close()
      resolve(messages)
    }
  })
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>

function readerOf({ body }: Response): BodyReader {
  if (!body) throw new Error('The response has no body.')
  return body.getReader()
}

/** Reads a whole body, and measures the time between its first and its last part. */
async function timeParts(response: Response) {
  const reader = readerOf(response)
  const decoder = new TextDecoder()
  let firstText = ''
  let text = ''
  let firstAtMs = 0
  let lastAtMs = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    lastAtMs = performance.now()
    const part = decoder.decode(value, { stream: true })
    if (firstAtMs === 0) firstAtMs = lastAtMs
    // Parts that come together count as one.
    if (lastAtMs - firstAtMs < pauseMs / 2) firstText += part
    text += part
  }
  return { text, firstText, spreadMs: Math.round(lastAtMs - firstAtMs) }
}

async function readUntil(reader: BodyReader, wanted: string): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended before “${wanted}”: ${text}`)
    text += decoder.decode(value, { stream: true })
  }
}
