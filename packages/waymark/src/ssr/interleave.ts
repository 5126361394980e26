import type { ByteChannel, Piece } from '../shared/byteChannel.ts'
import { flightScript } from './flightScript.ts'
import { joinBytes } from './flightText.ts'
import { insertAtHead } from './headStart.ts'

const closing = '</body></html>'

/** How a document and its payload become one stream. */
export type InterleaveOptions = {
  readonly headStart: string
  readonly nonce?: string | undefined
  /** Stops the rendering when the reader goes away. */
  readonly abort: () => void
}

/**
 * Streams a document with its payload between React's own writes: React calls `flush` where the
 * HTML written so far stands on its own.
 */
export async function* interleave(
  html: ByteChannel,
  flight: ByteChannel,
  { headStart, nonce, abort }: InterleaveOptions,
): AsyncGenerator<Uint8Array> {
  let htmlPieces: Piece[] = []
  let flightPieces: Piece[] = []
  let ready = ''
  let running = 2
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}
  let isFirst = true

  function flush(): void {
    let text = joinBytes(htmlPieces).toString()
    if (isFirst && text !== '') {
      text = insertAtHead(text, headStart)
      isFirst = false
    }
    // The payload's last pieces go before the end of the body, which is added below.
    ready += text.endsWith(closing) ? text.slice(0, -closing.length) : text
    // Without HTML there is nothing that the payload could hydrate yet, and no place for it.
    if (!isFirst && flightPieces.length > 0) {
      ready += flightScript(flightPieces, nonce)
      flightPieces = []
    }
    htmlPieces = []
    wake()
  }
  function end(): void {
    running--
    flush()
  }
  function fail(error: unknown): void {
    failure = { error }
    wake()
  }
  html.listen({ piece: (piece) => htmlPieces.push(piece), flush, end, fail })
  flight.listen({
    piece(piece) {
      flightPieces.push(piece)
      if (htmlPieces.length === 0) flush()
    },
    end,
    fail,
  })

  try {
    while (running > 0 || ready !== '') {
      if (failure) throw (failure as { error: unknown }).error
      if (ready === '') {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const text = ready
      ready = ''
      yield Buffer.from(text)
    }
    yield Buffer.from(closing)
  } finally {
    if (running > 0) abort()
  }
}
