import type { HandlerResponse } from '../../shared/response.ts'
import { writeResponse } from '../writeResponse.ts'
import { startServer } from './servers.ts'

/** Serves one answer to every request. @returns the port */
export function serveAnswer(
  answer: () => HandlerResponse,
  errors: unknown[] = [],
): Promise<number> {
  return startServer(async (_req, res) => {
    try {
      await writeResponse(res, answer())
    } catch (error) {
      errors.push(error)
      if (!res.headersSent) res.writeHead(500).end()
    }
  })
}

/** A body that yields texts, then waits until it is returned. */
export function createWaitingBody(
  texts: readonly string[],
  heard: { onNext?: () => void; onReturn: () => void },
): AsyncIterable<Uint8Array> {
  const left = [...texts]
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        heard.onNext?.()
        const text = left.shift()
        return text === undefined
          ? new Promise<never>(() => {})
          : Promise.resolve({ done: false as const, value: Buffer.from(text) })
      },
      return() {
        heard.onReturn()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
}

/** A body of a few texts. */
export async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
