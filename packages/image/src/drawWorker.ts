// Runs in a separate process with an empty environment, because the data to draw comes from
// untrusted sources. The server passes this module's source code to `node`, so that the build
// doesn't need an extra file.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { CardJob } from './drawing.ts'
import type { ImageFont } from './imageFonts.ts'
import type { JobResult } from './jobProcess.ts'

// Give this process a lower priority than the server, and make Linux kill this process first if
// memory runs out.
try {
  setPriority(10)
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // In a container, /proc may be read-only. The process then runs without this setting.
}

// Use one type for all formats, because takumi-js's type lists each combination of formats.
type RenderOptions = NonNullable<Parameters<typeof import('takumi-js')['render']>[1]>

const load = async () => {
  const [, url = 'takumi-js'] = process.argv
  const { render } = (await import(url)) as typeof import('takumi-js')
  return render
}
const loading = load()
// Prevent an unhandled rejection. Each message's handler awaits the same promise and reports the
// error.
loading.catch(() => {})

/**
 * Fonts, keyed by their content, so that each font is only registered once. takumi-js never
 * releases a registered font, and each message contains new font objects.
 */
const registeredFonts = new Map<string, ImageFont>()

function registered(font: ImageFont): ImageFont {
  const { data, name = '', weight = '', style = '' } = 'data' in font ? font : { data: font }
  const hash = createHash('sha256').update(new Uint8Array(data)).digest('base64')
  const key = JSON.stringify([hash, name, weight, style])
  const first = registeredFonts.get(key) ?? font
  registeredFonts.set(key, first)
  return first
}

process.on('message', async ({ node, options, images }: CardJob) => {
  const { css, fonts, ...size } = options
  let result: JobResult
  try {
    const render = await loading
    const content = await render(node, {
      ...size,
      ...(css && { css: [...css] }),
      ...(fonts && { fonts: fonts.map(registered) }),
      emoji: 'from-font',
      // Allow no URLs, because the server has already fetched all pictures.
      images: { sources: [...images], allowUrl: () => false },
    } as RenderOptions)
    result = { content }
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
