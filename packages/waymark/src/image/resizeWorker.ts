// Runs in a process of its own, with an empty environment: it decodes what strangers have made.
// The server passes its text to `node`, so that a build needs no file of it.
import type { ResizeJob, ResizeResult } from './resizeProcess.ts'

const load = async () => {
  const { default: sharp } = await import('sharp')
  const [major = 0, minor = 0, patch = 0] = sharp.versions.sharp?.split(/[.-]/).map(Number) ?? []
  // Older versions run what a crafted file tells them (GHSA-2xp9-vwfh-vxw4).
  if (major * 1e6 + minor * 1e3 + patch < 35_004) {
    throw new Error(`sharp is ${sharp.versions.sharp}. Run: npm install sharp@latest`)
  }
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

process.on('message', async ({ content, width, maxPixels }: ResizeJob) => {
  let result: ResizeResult
  try {
    const sharp = await loading
    const image = sharp(content, { limitInputPixels: maxPixels, failOn: 'truncated' })
    const resized = image.autoOrient().resize({ width, withoutEnlargement: true })
    result = { content: await resized.webp({ quality: 75 }).toBuffer() }
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
