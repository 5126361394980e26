import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { createElement, type ReactNode } from 'react'
import sharp from 'sharp'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CardJob } from './drawing.ts'
import { createFontRegistry } from './imageFonts.ts'
import { ImageResponse, type ImageResponseOptions } from './imageResponse.ts'
import { createJobProcess } from './jobProcess.ts'
import { findInstalled } from './resizing.ts'
import { withPngChunk } from './testing/hostileImages.ts'

// Import the worker as compiled code, as in an app's build.
vi.mock('./resizeWorker.js?raw', async () => {
  const file = new URL('resizeWorker.ts', import.meta.url).pathname
  return { default: (await transformWithOxc(readFileSync(file, 'utf8'), file)).code }
})

vi.mock('./drawWorker.js?raw', async () => {
  const file = new URL('drawWorker.ts', import.meta.url).pathname
  return { default: (await transformWithOxc(readFileSync(file, 'utf8'), file)).code }
})

function Broken(): null {
  throw new Error('no data')
}

test('draws a PNG of the requested size, with the built-in font', async () => {
  const response = new ImageResponse(createElement('p', { tw: 'text-xl' }, 'Text'), {
    width: 40,
    height: 20,
    headers: { 'cache-control': 'max-age=60' },
  })
  await response.ready
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([40, 20])
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'max-age=60',
    'content-type': 'image/png',
  })
})

test('draws other formats', async () => {
  const response = new ImageResponse(createElement('p'), { width: 4, height: 4, format: 'jpeg' })
  expect(Buffer.from(await response.arrayBuffer()).readUInt16BE(0)).toBe(0xffd8)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
})

test('rejects with the error that the element threw, and its stack names the caller', async () => {
  const response = new ImageResponse(createElement(Broken))
  const error = await response.ready.then(
    () => null,
    (thrown: Error) => thrown,
  )
  expect(error?.message).toBe('no data')
  expect(error?.stack).toMatch(/imageResponse\.test\.ts/)
  await expect(response.arrayBuffer()).rejects.toThrow()
})

test('names a missing package', async () => {
  vi.doMock('takumi-js', () => {
    throw new Error('not found')
  })
  await expect(new ImageResponse(null).ready).rejects.toThrow('Install @waymark/image')
  vi.doUnmock('takumi-js')
})

test("draws with the app's own fonts, including WOFF2 and variable fonts", async () => {
  const data = readFileSync(fontFile)
  const draw = async (fonts: ImageResponseOptions['fonts']) => {
    const text = createElement('p', { style: { fontFamily: 'Own', fontSize: 40 } }, 'Text')
    const options = { width: 120, height: 60, ...(fonts && { fonts }) }
    return Buffer.from(await new ImageResponse(text, options).arrayBuffer())
  }
  // Draw the picture without the font first, because a font stays registered once it has been used.
  const without = await draw(undefined)
  expect(await draw([{ name: 'Own', data }])).not.toEqual(without)
})

test('fonts of equal content are registered once', async () => {
  const register = createFontRegistry()
  const first = await register({ name: 'Own', data: new Uint8Array([1, 2]) })
  expect(await register({ name: 'Own', data: new Uint8Array([1, 2]) })).toBe(first)
  for (const other of [
    { name: 'Own', data: new Uint8Array([1, 3]) },
    { name: 'Other', data: new Uint8Array([1, 2]) },
    { name: 'Own', weight: 700, data: new Uint8Array([1, 2]) },
    new Uint8Array([1, 2]),
  ]) {
    expect(await register(other)).toBe(other)
  }
})

describe('pictures in the image', () => {
  const requested: string[] = []
  let origin = ''
  const server = createServer((req, res) => {
    requested.push(req.url ?? '')
    if (req.url === '/out') res.writeHead(302, { location: `${origin}/logos/a.png` }).end()
    else if (req.url === '/up/a.svg') res.end(slowSvg)
    else if (req.url === '/up/missing') res.writeHead(404).end()
    else if (req.url === '/up/reset') res.destroy()
    else if (req.url === '/up/icc.png') res.end(withProfile(picture))
    else res.end(picture)
  })
  let picture = Buffer.alloc(0)
  beforeAll(async () => {
    const red = createElement('div', { style: { width: 8, height: 8, background: 'red' } })
    picture = Buffer.from(await new ImageResponse(red, { width: 8, height: 8 }).arrayBuffer())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => requested.splice(0))
  afterAll(() => server.close())

  /** Catches the warnings of a test. */
  const listenToWarnings = () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    return { warnings: () => warn.mock.calls.flat().join('\n') }
  }

  const draw = (src: string, options: ImageResponseOptions = {}) =>
    new ImageResponse(createElement('img', { src, width: 8, height: 8 }), {
      width: 8,
      height: 8,
      ...options,
    }).arrayBuffer()

  test.each([
    ['an address', (port: string) => `http://127.0.0.1:${port}/a`],
    ['a name', (port: string) => `http://localhost:${port}/a`],
    ['an address in IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/a`],
    ['a number', (port: string) => `http://2130706433:${port}/a`],
  ])('are not fetched from the private network: %s', async (_, urlOf) => {
    const { warnings } = listenToWarnings()
    await draw(urlOf(new URL(origin).port))
    expect(warnings()).toContain('to a private network')
    expect(requested).toEqual([])
  })

  test('are not fetched from the private network as backgrounds', async () => {
    const style = { width: 8, height: 8, backgroundImage: `url(${origin}/a)` }
    const { warnings } = listenToWarnings()
    await new ImageResponse(createElement('div', { style })).arrayBuffer()
    expect(warnings()).toContain('to a private network')
    expect(requested).toEqual([])
  })

  test('may come from private sources that the app allows, without redirects to others', async () => {
    const privateSources = [`${origin}/logos/`]
    const drawn = await draw(`${origin}/logos/a.png`, { privateSources })
    expect(await isRed(drawn)).toBe(true)
    const { warnings } = listenToWarnings()
    await draw(`${origin}/other`, { privateSources })
    expect(warnings()).toContain('private network')
    expect(requested).toEqual(['/logos/a.png'])
    expect(await isRed(await draw(`${origin}/out`, { privateSources: [`${origin}/out`] }))).toBe(
      false,
    )
    expect(requested).toEqual(['/logos/a.png', '/out'])
  })

  const uploads = () => ({ privateSources: [`${origin}/up/`] })

  test.each([
    ['/up/missing', 'the response has the status 404'],
    ['/up/reset', 'socket hang up'],
  ])('leave a gap and a line in the log if they do not arrive: %s', async (path, reason) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const drawn = await draw(origin + path, uploads())
    const { data } = await sharp(Buffer.from(drawn)).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 0])
    expect(warn.mock.calls).toEqual([
      [
        `ImageResponse left a gap, because it can't fetch the picture "${origin}${path}": ${reason}.`,
      ],
    ])
  })

  test('are decoded in another process, so that a huge colour profile takes no memory of the server', async () => {
    const before = process.resourceUsage().maxRSS
    expect(await isRed(await draw(`${origin}/up/icc.png`, uploads()))).toBe(true)
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })

  const dataUrl = (type: string, content: Buffer) =>
    `data:image/${type};base64,${content.toString('base64')}`

  test('are decoded in another process if they are embedded in the element', async () => {
    const large = { width: 6_000, height: 6_000, channels: 4, background: 'red' } as const
    const bomb = await sharp({ create: large }).png().toBuffer()
    const before = process.resourceUsage().maxRSS
    expect(await isRed(await draw(dataUrl('png', bomb)))).toBe(true)
    // Check the memory of this process. If it decoded the picture, it would need 144 MB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })

  test('must be JPEG, PNG or WebP if they are embedded in the element', async () => {
    const gif = await sharp(picture).gif().toBuffer()
    for (const src of [
      dataUrl('gif', gif),
      dataUrl('png', gif),
      dataUrl('png', Buffer.from('a')),
    ]) {
      await expect(draw(src)).rejects.toThrow('not a JPEG, PNG or WebP')
    }
    expect(await isRed(await draw(`data:image/png,${escape(picture.toString('latin1'))}`))).toBe(
      true,
    )
  })

  test("can't be SVG files from other servers, which may take forever to draw", async () => {
    const { warnings } = listenToWarnings()
    expect(await isRed(await draw(`${origin}/up/a.svg`, uploads()))).toBe(false)
    expect(warnings()).toContain('is not a JPEG, PNG or WebP')
  })

  const svgUrl = (text: string) => dataUrl('svg+xml', Buffer.from(text))
  const whole = { width: 600, height: 600 }
  const background = (drawing: string) => `url("${svgUrl(drawing)}")`
  const styledBy = (css: string) =>
    createElement('div', { className: 'all' }, createElement('style', null, css))

  test.each<[string, (drawing: string) => ReactNode]>([
    ['a data: URL', (drawing) => createElement('img', { src: svgUrl(drawing), ...whole })],
    ['bytes', (drawing) => createElement('img', { src: Buffer.from(drawing), ...whole } as object)],
    [
      'a style',
      (drawing) =>
        createElement('div', { style: { ...whole, backgroundImage: background(drawing) } }),
    ],
    [
      'a style sheet',
      (drawing) =>
        styledBy(`.all { width: 600px; height: 600px; background: ${background(drawing)} }`),
    ],
    ['HTML', (drawing) => drawing],
  ])('an SVG in %s is drawn by another process', async (_, elementOf) => {
    const drawn = await new ImageResponse(elementOf(svg('', 600)), whole).arrayBuffer()
    expect(await isRed(drawn)).toBe(true)
    const before = process.cpuUsage()
    // Ignore a rejection, because drawing the card may exceed its time limit on a busy machine.
    await new ImageResponse(elementOf(slowSvg), whole).arrayBuffer().catch(() => {})
    const { user, system } = process.cpuUsage(before)
    // Check the processor time of this process. If it drew the card, it would need a second.
    expect((user + system) / 1000).toBeLessThan(300)
  })

  test('a card with an SVG may also contain remote pictures and fonts', async () => {
    const data = readFileSync(fontFile)
    const sources = { privateSources: [`${origin}/logos/`] }
    const element = createElement(
      'div',
      { style: { display: 'flex', fontFamily: 'Beside' } },
      createElement('img', { src: svgUrl(svg()), ...side }),
      createElement('img', { src: `${origin}/logos/a.png`, ...side }),
      'Text',
    )
    const fonts = [{ name: 'Beside', data }]
    const options = { width: 60, height: 30, ...sources }
    // Draw the picture without the font first, because a font stays registered once it has been
    // used.
    const without = await new ImageResponse(element, options).arrayBuffer()
    const drawn = await new ImageResponse(element, { ...options, fonts }).arrayBuffer()
    const { data: pixels } = await sharp(drawn).raw().toBuffer({ resolveWithObject: true })
    // Check a pixel in each picture, to make sure that both pictures were drawn.
    expect([pixels[4 * (2 * 60 + 4)], pixels[4 * (2 * 60 + 12)]]).toEqual([255, 255])
    expect(Buffer.from(without).equals(Buffer.from(drawn))).toBe(false)
  })

  test('the stack of an error in the other process names the caller', async () => {
    const element = createElement('img', { src: svgUrl('<svg'), ...side })
    const error = await new ImageResponse(element, side).ready.catch((thrown: Error) => thrown)
    expect(String(error)).toContain("The card can't be drawn")
    expect((error as Error).stack).toMatch(/imageResponse\.test\.ts/)
  })
})

const side = { width: 8, height: 8 }

test('a process that draws for too long is killed, and the next card is drawn', async () => {
  const program = (await import('./drawWorker.js?raw')).default
  const cards = createJobProcess<CardJob>({
    program,
    findModule: () => findInstalled('takumi-js', 'A card with an SVG'),
    withinMs: 2_000,
    problem: "The card can't be drawn",
  })
  const job = (drawing: string, size: number): CardJob => ({
    node: { type: 'image', src: 'a', width: size, height: size },
    options: { width: size, height: size, format: 'png' },
    images: [{ src: 'a', data: Buffer.from(drawing) }],
  })
  const endless = svg(`<filter id="f">${'<feTurbulence numOctaves="50"/>'.repeat(1_000)}</filter>`)
  await expect(cards.run(job(endless, 2_000))).rejects.toThrow('took more than 2000 ms')
  expect(cards.pid()).toBe(null)
  const drawn = await cards.run(job(svg(), 8))
  expect(await isRed(new Uint8Array(drawn).buffer)).toBe(true)
  cards.close()
})

test.each([
  [100_000, 100_000],
  [0, 630],
  [1.5, 2],
  [Number.NaN, 630],
])('a card of %d × %d is refused', async (width, height) => {
  const drawn = new ImageResponse(createElement('p'), { width, height }).arrayBuffer()
  await expect(drawn).rejects.toThrow('ImageResponse got the size')
})

const svg = (filter = '', size = 8) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${filter}<rect width="${size}" height="${size}" fill="red"${filter && ' filter="url(#f)"'}/></svg>`
const slowSvg = svg('<filter id="f"><feTurbulence numOctaves="50"/></filter>', 600)

/** Adds a colour profile of 200 MB to a PNG, compressed to 200 kB. */
function withProfile(png: Buffer): Buffer {
  const profile = deflateSync(Buffer.alloc(200_000_000))
  return withPngChunk(png, 'iCCP', Buffer.concat([Buffer.from('icc\0\0'), profile]))
}

async function isRed(image: ArrayBuffer): Promise<boolean> {
  const [red = 0, green = 0] = await sharp(image).raw().toBuffer()
  return red > 240 && green < 15
}

const family = '@fontsource-variable/source-serif-4'
const fontFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve(`${family}/package.json`)),
  'files/source-serif-4-latin-wght-normal.woff2',
)

describe('characters that the font lacks', () => {
  async function warningsFor(text: string, options: ImageResponseOptions = {}): Promise<string[]> {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    try {
      await new ImageResponse(createElement('p', null, text), { width: 40, height: 20, ...options })
        .ready
      return warn.mock.calls.map(([message]) => String(message))
    } finally {
      warn.mockRestore()
    }
  }

  test('are logged with the font, the script and the fix, once for each script', async () => {
    expect(await warningsFor('مرحبا Ada')).toEqual([
      `The built-in font of ImageResponse can't draw some characters of a card, so the picture has empty boxes instead: م ر ح ب ا (Arabic), in the text "مرحبا Ada". Pass a font for Arabic in the option fonts of ImageResponse.`,
    ])
    expect(await warningsFor('مرحبا Bo')).toEqual([])
    expect(await warningsFor('مرحبا 日')).toEqual([expect.stringContaining('(Arabic, Han)')])
    expect(await warningsFor('Hi 😀')).toEqual([expect.stringContaining('set the option emoji')])
  })

  test('are not reported if a font has them', async () => {
    expect(await warningsFor('Größe – ça va? “ok” €')).toEqual([])
    expect(await warningsFor('plain')).toEqual([])
  })
})
