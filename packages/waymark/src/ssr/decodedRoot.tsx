import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import { type ReactNode, use } from 'react'
import { PageRoot } from '../client/root.tsx'
import type { ByteChannel } from '../shared/byteChannel.ts'
import type { Payload } from '../shared/payload.ts'
import { channelStream } from './channelStream.ts'
import { preloadScripts } from './clientScripts.ts'
import { joinBytes } from './flightText.ts'
import { createPayloadScanner } from './payloadReader.ts'

/** A payload that still arrives, and what was decoded of it. */
export type PayloadSource = {
  readonly flight: ByteChannel
  readonly passive: ReadonlySet<string>
  payload: PromiseLike<Payload> | null
}

/**
 * The document of a payload that still arrives. Decoding begins within the render: the hints that
 * it finds (styles, modules) belong to it.
 */
export function DecodedRoot({ source }: { source: PayloadSource }): ReactNode {
  source.payload ??= decode(source)
  return <PageRoot page={use(source.payload as Promise<Payload>)} />
}

function decode({ flight, passive }: PayloadSource): PromiseLike<Payload> {
  const reader = createPayloadScanner(passive)
  reader.read(joinBytes(flight.pieces).toString())
  // What turns out to be so later on is told to the entry, which loads it.
  if (reader.isInteractive) preloadScripts(reader.files)
  return createFromNodeStream<Payload>(channelStream(flight))
}
