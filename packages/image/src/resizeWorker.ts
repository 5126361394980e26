// Runs in a separate process with an empty environment, because it decodes data from untrusted
// sources. The server passes this module to `node` as text, so that the build needs no extra file.
import { writeFileSync } from 'node:fs'
import type { JobResult } from './jobProcess.ts'
import type { ResizeJob } from './resizeProcess.ts'

/**
 * Most scans of a JPEG. Encoders write about ten, and libjpeg-turbo advises a limit of a few
 * hundred.
 */
const maxScans = 100

// An image may take 450 MB. If memory runs out, Linux ends this process instead of the server.
try {
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // A container may have /proc read-only.
}

const load = async () => {
  const [, url = 'sharp'] = process.argv
  const { default: sharp } = (await import(url)) as typeof import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  const formats = ['Jpeg', 'Png', 'Webp']
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
const loading = load()
// The handler of each message awaits the same promise and reports the error.
loading.catch(() => {})

/**
 * True if a progressive JPEG has more scans than any encoder writes. Each scan is a pass over all pixels, so a
 * file of 200 kB can take a minute to decode. Like libjpeg, the search skips bytes between segments.
 * @see ITU-T T.81 §B.1.1
 */
function hasTooManyScans(content: Uint8Array): boolean {
  if (content[0] !== 0xff || content[1] !== 0xd8) return false
  let scans = 0
  let at = 2
  while (scans <= maxScans) {
    at = content.indexOf(0xff, at)
    const marker = content[at + 1]
    if (at === -1 || marker === undefined || marker === endOfImage) return false
    // Skip fill bytes before a marker, escaped 0xff data (0x00), and restart markers, which have no
    // length.
    if (marker === 0xff) at += 1
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else at += 2 + (((content[at + 2] ?? 0) << 8) | (content[at + 3] ?? 0))
    if (marker === startOfScan) scans++
  }
  return true
}

const startOfScan = 0xda
const endOfImage = 0xd9

process.on('message', async ({ content, width, maxPixels, quality = 75 }: ResizeJob) => {
  let result: JobResult
  try {
    const sharp = await loading
    if (hasTooManyScans(content)) throw new Error(`The JPEG has more than ${maxScans} scans`)
    const image = sharp(content, { limitInputPixels: maxPixels, failOn: 'truncated' })
    const resized = image.autoOrient().resize({ width, withoutEnlargement: true })
    result = { content: await resized.webp({ quality }).toBuffer() }
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
