import { createDependencyTracker, type DependencyTracker } from '../../cache/collector.ts'
import type { HandlerResponse, ResponseBody } from '../../shared/answer.ts'
import type { ByteChannel } from '../../shared/byteChannel.ts'
import { createDigest } from '../../shared/digest.ts'
import type { PrerenderedResponse } from '../../shared/prerendering.ts'
import { payloadUrl } from '../../shared/protocol.ts'
import { encodeSignal, signalOf } from '../../shared/signals.ts'
import type { HandlerApp } from '../answerRoute.ts'
import { createHandler } from '../handler.ts'
import { wholeFlightBody } from '../page/flight.ts'
import { hashedResponse, hashPayload } from '../security/sealDocument.ts'
import { anonymousRequest } from './nobody.ts'

/** What rendering a URL ahead came to. */
export type Prerendered =
  | {
      readonly kind: 'answer'
      readonly answer: PrerenderedResponse
      /** The payload that a document was made of, with its end mark. */
      readonly payload: Uint8Array | null
      /** Of what it has read of the cache. */
      readonly life: DependencyTracker
    }
  /** It depends on its request: `reason` is what it used. */
  | { readonly kind: 'dynamic'; readonly reason: string }
  | { readonly kind: 'failed'; readonly thrown: unknown }

/** How a URL is rendered ahead. */
export type PrerenderOptions = {
  /** The page, or its data. */
  readonly form: 'document' | 'data'
  /** Gives an empty request to what asks for one, where else the page would be dynamic. */
  readonly ignoresRequest: boolean
}

// The longest that a timer can be set to: a prerender waits for all that its page waits for.
const noDeadlineMs = 2 ** 31 - 1

/**
 * Renders a URL ahead, through the handler that answers clients.
 * @returns once all of it is there, or it has turned out to depend on its request
 */
export function prerender(
  pathname: string,
  { form, ignoresRequest }: PrerenderOptions,
  app: HandlerApp,
): Promise<Prerendered> {
  return new Promise((resolve) => {
    let failure: { thrown: unknown } | null = null
    let payload: Uint8Array | null = null
    const life = createDependencyTracker()
    const onDynamic = (reason: string) => resolve({ kind: 'dynamic', reason })
    const nonce = app.security.createNonce()
    const parts: HandlerApp = {
      ...app,
      security: { ...app.security, createNonce: () => nonce },
      statusDeadlineMs: noDeadlineMs,
      report(thrown) {
        const signal = signalOf(thrown)
        if (signal) return encodeSignal(signal)
        // The build tells of it, with the name of the route; nobody will see the screen.
        failure ??= { thrown }
        return createDigest(Date.now(), Math.random())
      },
      async renderDocument(flight, options) {
        await untilEnded(flight)
        payload = wholeFlightBody({ pieces: hashPayload(flight.pieces, nonce) })
        return app.renderDocument(flight, options)
      },
    }
    const handle = createHandler(parts, {
      phase: 'prerender',
      life,
      ...(ignoresRequest ? {} : { onDynamic }),
    })
    const target = form === 'document' ? pathname : payloadUrl(pathname, '')
    wholeAnswer(handle(anonymousRequest(target))).then(
      (answer) => {
        if (failure) resolve({ kind: 'failed', ...failure })
        else if (setsCookie(answer)) onDynamic('a set-cookie header')
        else
          resolve({
            kind: 'answer',
            answer: hashedResponse(answer, app.security, nonce),
            payload,
            life,
          })
      },
      (thrown: unknown) => resolve({ kind: 'failed', thrown }),
    )
  })
}

// It is for the one who asked.
function setsCookie({ headers }: PrerenderedResponse): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'set-cookie')
}

async function wholeAnswer(answering: Promise<HandlerResponse>): Promise<PrerenderedResponse> {
  const { status, headers, body } = await answering
  return { status, headers, body: await wholeBody(body) }
}

async function wholeBody(body: ResponseBody): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

function untilEnded(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}
