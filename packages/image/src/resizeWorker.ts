// Runs in a separate process with an empty environment, because the images to decode come from
// untrusted sources. The server passes this module's source code to `node`, so that the build
// doesn't need an extra file.
import { writeFileSync } from 'node:fs'
import type { JobResult } from './jobProcess.ts'
import type { ResizeJob } from './resizeProcess.ts'

/**
 * Largest number of scans in a JPEG. Encoders write about ten scans, and libjpeg-turbo recommends a
 * limit of a few hundred.
 */
const maxScans = 100

// Decoding an image may take 450 MB. Make Linux kill this process instead of the server if memory
// runs out.
try {
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // In a container, /proc may be read-only. The process then runs without this setting.
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
// Prevent an unhandled rejection. Each message's handler awaits the same promise and reports the
// error.
loading.catch(() => {})

/**
 * True if a progressive JPEG has more scans than any encoder writes. Each scan is a pass over all
 * pixels, so decoding a file of 200 kB can take a minute. Like libjpeg, skips bytes between
 * segments.
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
