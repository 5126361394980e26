import { createPublicFetch, isSupportedFormat, noImage, RemoteImageError } from './remoteSource.ts'
import { createResizing } from './resizing.ts'
import { createQueue, mostBytes, mostPixels, withinMs } from './signedImages.ts'

const resizing = createResizing()
const enter = createQueue(withinMs)
/** Twice as wide as a card. */
const width = 2_400
const quality = 95

/**
 * Creates what fetches the pictures of a card. What draws it runs in the server's process, where nothing
 * ends it: it gets what another process has decoded, and written anew.
 */
export function createCardFetch(privateSources: readonly string[]) {
  return createPublicFetch({ privateSources, maxBytes: mostBytes, decode })
}

/**
 * Decodes a picture that is part of a card's element.
 * @throws RemoteImageError
 */
export async function decodeEmbedded(content: Buffer): Promise<Uint8Array> {
  if (isSupportedFormat(content)) return decode(content)
  throw new RemoteImageError(502, `A picture within the element ${noImage}`)
}

async function decode(content: Buffer): Promise<Uint8Array> {
  const leave = await enter()
  try {
    return await resizing.resize({ content, width, maxPixels: mostPixels, quality })
  } finally {
    leave()
  }
}
