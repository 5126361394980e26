import { createPublicFetch, isSupportedFormat, noImage, RemoteImageError } from './remoteSource.ts'
import { createResizing } from './resizing.ts'
import { createQueue, mostBytes, mostPixels, withinMs } from './signedImages.ts'

const resizing = createResizing()
const enter = createQueue(withinMs)
/** Largest width of a picture in a card, in pixels: twice the width of the card. */
const width = 2_400
const quality = 95

/**
 * Creates the `fetch` for pictures in a card. Cards are drawn in the server's process, where
 * drawing can't be interrupted. Each picture is therefore decoded and re-encoded in a separate
 * process first.
 */
export function createCardFetch(privateSources: readonly string[]) {
  return createPublicFetch({ privateSources, maxBytes: mostBytes, decode })
}

/**
 * Decodes a picture that is embedded in an element of a card.
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
