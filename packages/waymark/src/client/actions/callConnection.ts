import {
  actionHeader,
  besideHeader,
  buildHeader,
  changedHeader,
  idempotencyKeyHeader,
  navigationFromHeader,
} from '../../shared/protocol.ts'
import { loadHeaders } from '../../shared/trace.ts'
import { nonceHeaders } from '../document/dataRequest.ts'
import { createDeadline } from '../navigation/deadline.ts'
import type { DataChange } from '../navigation/navigation.ts'
import type { CallProblem } from './callNotice.ts'

export type CallConnection = {
  readonly id: string
  readonly body: string | FormData
  readonly url: URL
  /** Pathname that decides about interceptions. */
  readonly from: string
  /** Pathnames of pages that slots go on showing. */
  readonly beside: readonly string[]
  readonly key: string
  readonly silenceMs: number
  readonly signal: AbortSignal
}

export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly reason: Exclude<CallProblem, 'late'>

  constructor(reason: TransportFailure['reason']) {
    super(`A server action got no response: ${reason}.`)
    this.reason = reason
  }
}

/** @returns a response of the site whose headers have come; when it falls silent, it is aborted */
export async function connectCall(call: CallConnection) {
  const { id, body, url, from, beside, key, signal, silenceMs } = call
  const broken = new AbortController()
  const abort = () => broken.abort()
  let response: Response
  try {
    response = await fetch(url.pathname + url.search, {
      method: 'POST',
      body,
      headers: {
        ...nonceHeaders(),
        ...(import.meta.env.DEV ? loadHeaders() : {}),
        accept: 'text/x-component',
        [actionHeader]: id,
        [idempotencyKeyHeader]: key,
        [navigationFromHeader]: from,
        ...(beside.length > 0 ? { [besideHeader]: beside.join(',') } : {}),
      },
      signal: AbortSignal.any([signal, broken.signal]),
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new TransportFailure('network')
  }
  const { body: stream, headers } = response
  if (stream && headers.get('content-type')?.startsWith('text/x-component')) {
    const build = headers.get(buildHeader)
    const changed = parseChange(headers.get(changedHeader))
    return { build, changed, abort, body: watchSilence(stream, silenceMs, abort) }
  }
  stream?.cancel().catch(() => {})
  throw new TransportFailure('foreign')
}

// Both may have changed: the header then has two lines.
function parseChange(header: string | null): DataChange | null {
  if (header === null) return null
  return header.includes('session') ? 'session' : 'data'
}

/** A server that is at work sends something each second. */
function watchSilence(body: ReadableStream<Uint8Array>, timeoutMs: number, onTimeout: () => void) {
  const silence = createDeadline({ timeoutMs, onTimeout })
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      silence.progress()
      controller.enqueue(chunk)
    },
    flush: silence.stop,
  })
  return body.pipeThrough(watched)
}
