import type { Node } from 'takumi-js'
import program from './drawWorker.js?raw'
import type { ImageFont } from './imageFonts.ts'
import { createJobProcess } from './jobProcess.ts'
import { findInstalled } from './resizing.ts'
import { createQueue, withinMs } from './signedImages.ts'

/** A card to draw, with all its inputs. */
export type CardJob = {
  readonly node: Node
  readonly options: {
    readonly width: number
    readonly height: number
    readonly format: 'png' | 'jpeg' | 'webp'
    readonly css?: readonly string[]
    readonly fonts?: readonly ImageFont[]
  }
  /**
   * Pictures in the element. `src` is the URL or name with which the element refers to the picture.
   */
  readonly images: readonly { readonly src: string; readonly data: Uint8Array | ArrayBuffer }[]
}

const cards = createJobProcess<CardJob>({
  program,
  findModule: () => findInstalled('takumi-js', 'A card with an SVG'),
  withinMs,
  problem: "The card can't be drawn",
})
const enter = createQueue(withinMs)

/**
 * Draws a card in a separate process that is killed if drawing takes too long. An SVG of 300 bytes
 * can take minutes to draw.
 * @throws RemoteImageError
 */
export async function drawInProcess(job: CardJob): Promise<Uint8Array> {
  const leave = await enter()
  try {
    return await cards.run(job)
  } finally {
    leave()
  }
}
