import { createPublicFetch, isSupportedFormat, noImage, RemoteImageError } from './remoteSource.ts'
import { createResizing } from './resizing.ts'
import { createQueue, mostBytes, mostPixels, withinMs } from './signedImages.ts'

const resizing = createResizing()
const enter = createQueue(withinMs)
/** Twice the width of a card, in pixels. */
const width = 2_400
const quality = 95

/**
 * Creates the `fetch` for pictures in a card. Cards are drawn in the server's process, and drawing
 * can't be interrupted there. Another process therefore decodes and re-encodes each picture first.
 */
export function createCardFetch(privateSources: readonly string[]) {
  return createPublicFetch({ privateSources, maxBytes: mostBytes, decode })
}

/**
 * Decodes a picture that is embedded in a card's element.
 * @throws RemoteImageError
 */
export async function decodeEmbedded(content: Buffer): Promise<Uint8Array> {
  if (isSupportedFormat(content)) return decode(content)
  throw new RemoteImageError(502, `A picture in the element ${noImage}`)
}

async function decode(content: Buffer): Promise<Uint8Array> {
  const leave = await enter()
  try {
    return await resizing.resize({ content, width, maxPixels: mostPixels, quality })
  } finally {
    leave()
  }
}
