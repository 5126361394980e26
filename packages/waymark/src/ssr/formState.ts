import { createFromNodeStream } from '@vitejs/plugin-rsc/ssr.node'
import type { ReactFormState } from 'react-dom/client'
import type { ByteChannel } from '../shared/byteChannel.ts'
import { joinFlight } from './flightText.ts'
import { textStream } from './wholeStream.ts'

/** Reads the form state of a document: React's renderer takes it before it renders. */
export async function readFormState(flight: ByteChannel): Promise<ReactFormState> {
  const { decodable } = joinFlight(flight.pieces)
  return createFromNodeStream<ReactFormState>(textStream(decodable))
}
