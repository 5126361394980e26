// Runs in a process of its own, with an empty environment: it decodes what strangers have made.
// The server passes its text to `node`, so that a build needs no file of it.
import type { ResizeJob, ResizeResult } from './resizeProcess.ts'

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
// Whoever waits for it reports it.
loading.catch(() => {})

process.on('message', async ({ content, width, maxPixels, quality = 75 }: ResizeJob) => {
  let result: ResizeResult
  try {
    const sharp = await loading
    const image = sharp(content, { limitInputPixels: maxPixels, failOn: 'truncated' })
    const resized = image.autoOrient().resize({ width, withoutEnlargement: true })
    result = { content: await resized.webp({ quality }).toBuffer() }
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
