import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { Payload } from '../../shared/payload.ts'
import type { LoadedPage } from '../navigation/loadPage.ts'
import type { Prefetched } from './kept.ts'

/** Decodes page data that was fetched ahead: it is whole. */
export async function decodePrefetched(
  { bytes, build }: Prefetched,
  url: URL,
): Promise<LoadedPage> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  const payload = await createFromReadableStream<Payload>(stream)
  const whole = Promise.resolve()
  return { payload, url, status: 200, build, whole, byteCount: () => bytes.length, onBytes() {} }
}
