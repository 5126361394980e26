import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

/** Lists the images in a document's meta and link tags, with one line for each. */
function imagesOf(html: string): string[] {
  const tags = html.match(/<(?:meta|link)[^>]*>/g) ?? []
  return tags.flatMap((tag) => {
    const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1]
    const name = of('property') ?? of('name') ?? of('rel') ?? ''
    if (!/image|icon/.test(name)) return []
    // Remove the hash, which only a build adds to the name. The dev server serves the original
    // file.
    const url = (of('content') ?? of('href') ?? '').replace('https://example.com', '')
    const asset = /^\/(?:_waymark\/assets|app.*)\/([\w-]+?)(?:-[\w-]{8})?(\.\w+)(?:\?.*)?$/.exec(
      url,
    )
    const value = asset ? `asset ${asset[1]}${asset[2]}` : url
    return [[name, value, of('type'), of('sizes')].filter(Boolean).join(' ')]
  })
}

/** Returns the width and height in the header of a PNG. */
function sizeOf(png: Buffer): string {
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  return `${png.readUInt32BE(16)}×${png.readUInt32BE(20)}`
}

describeModes('images of pages', { app: 'pageImages' }, (served) => {
  const documentOf = async (path: string) => (await served.fetch(path)).text()
  const bytesOf = async (url: string) => {
    const response = await served.fetch(new URL(url, served.app.origin).pathname)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    return Buffer.from(await response.arrayBuffer())
  }
  const cardOf = (html: string) => /"og:image" content="([^"]*)"/.exec(html)?.[1] ?? ''

  test('files are linked with type, size and text', async () => {
    expect(imagesOf(await documentOf('/'))).toEqual([
      'og:image asset opengraph-image.png',
      'og:image:type image/png',
      'og:image:width 1200',
      'og:image:height 630',
      'og:image:alt A blue card',
      'icon /favicon.ico image/x-icon any',
      'icon asset icon.png image/png 32x32',
      'apple-touch-icon asset apple-icon.png image/png 180x180',
    ])
  })

  test('images of the nearest folder replace those above, for each kind', async () => {
    expect(imagesOf(await documentOf('/plain'))).toEqual([
      'og:image asset opengraph-image.png',
      'og:image:type image/png',
      'og:image:width 600',
      'og:image:height 315',
      'twitter:image asset twitter-image.png',
      'icon /favicon.ico image/x-icon any',
      'icon asset icon1.png image/png 16x16',
      'icon asset icon2.svg image/svg+xml any',
      'apple-touch-icon asset apple-icon.png image/png 180x180',
    ])
  })

  test('URLs that a page sets itself take precedence', async () => {
    expect(imagesOf(await documentOf('/card'))).toEqual([
      'og:image /own.png',
      'icon /favicon.ico image/x-icon any',
      'icon /own.svg',
    ])
  })

  test('are served, with an unlimited lifetime if the name contains a hash', async () => {
    const card = cardOf(await documentOf('/plain'))
    expect(sizeOf(await bytesOf(card))).toBe('600×315')
    const { headers } = await served.fetch(new URL(card).pathname)
    if (served.mode === 'production') expect(headers.get('cache-control')).toContain('immutable')
    const favicon = await served.fetch('/favicon.ico')
    expect([favicon.status, favicon.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  })

  test('are drawn from JSX, with the params of the page', async () => {
    const html = await documentOf('/posts/first')
    expect(cardOf(html)).toBe('https://example.com/posts/first/opengraph-image/image.png')
    expect(imagesOf(html)).toContain('og:image:alt The title of the post')
    const card = await bytesOf(cardOf(html))
    expect(sizeOf(card)).toBe('1200×630')
    expect(cardOf(await documentOf('/posts/%C3%A4%20b'))).toContain('/posts/%C3%A4%20b/')
    expect(card).not.toEqual(await bytesOf(cardOf(await documentOf('/posts/%C3%A4%20b'))))
  })

  test('one module can draw several', async () => {
    const icons = imagesOf(await documentOf('/posts/first')).filter((each) => /^icon/.test(each))
    expect(icons.slice(1)).toEqual([
      'icon /posts/first/icon/small.png image/png 16x16',
      'icon /posts/first/icon/large.png image/png 64x64',
    ])
    const large = await bytesOf('/posts/first/icon/large.png')
    expect(sizeOf(large)).toBe('64×64')
    expect((await served.fetch('/posts/first/icon/other.png')).status).toBe(404)
  })

  test('an image that fails is a 500 with a digest instead of an empty 200', async () => {
    for (const path of ['/dynamic/opengraph-image/image.png', '/drawn?broken']) {
      const response = await served.fetch(path)
      expect(response.status).toBe(500)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      const digest = response.headers.get('x-waymark-digest') ?? 'none'
      const text = await response.text()
      // The dev server shows the error to the developer.
      if (served.mode === 'production') expect(text).not.toContain('no such picture')
      await expect.poll(() => served.app.logs()).toMatch(new RegExp(`${digest}[^]*no such picture`))
    }
    expect((await served.fetch('/drawn')).headers.get('content-type')).toBe('image/png')
  })

  test('characters that no font has are in the log of the server', async () => {
    const text = encodeURIComponent('שלום Ada')
    expect((await served.fetch(`/drawn?text=${text}`)).status).toBe(200)
    await expect
      .poll(() => served.app.logs())
      .toMatch(/built-in font.*\(Hebrew\), in the text "שלום Ada"/)
  })

  test('an image that contains an SVG is drawn in a separate process', async () => {
    const response = await served.fetch('/drawn?svg')
    expect(response.status).toBe(200)
    const card = Buffer.from(await response.arrayBuffer())
    expect(sizeOf(card)).toBe('100×50')
    expect(card).not.toEqual(await bytesOf('/drawn'))
  })

  test('several sitemaps have a URL each', async () => {
    const { status, headers } = await served.fetch('/shop/sitemap/0.xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml'])
    expect(await documentOf('/shop/sitemap/1.xml')).toContain(
      '<loc>https://example.com/shop/1</loc>',
    )
    expect((await served.fetch('/shop/sitemap/2.xml')).status).toBe(404)
    expect((await served.fetch('/shop/sitemap.xml')).status).toBe(404)
  })

  test('change with a navigation', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await page.getByRole('link', { name: 'First' }).click()
    await page.getByRole('heading', { name: 'first' }).waitFor()
    const icon = () => page.locator('link[rel=icon][sizes="64x64"]').getAttribute('href')
    await expect.poll(icon).toBe('/posts/first/icon/large.png')
    expectQuietConsole()
  })
})

describeModes('images in development', { app: 'pageImages', modes: ['dev'] }, (served) => {
  const cardOf = async (name: string) =>
    new RegExp(`og:image:${name}" content="([^"]*)"`).exec(
      await (await served.fetch('/')).text(),
    )?.[1]

  test('change with their files', async () => {
    await expect.poll(() => cardOf('alt')).toBe('A blue card')
    const folder = join(served.app.root, 'app')
    writeFileSync(join(folder, 'opengraph-image.alt.txt'), 'Another text')
    await expect.poll(() => cardOf('alt')).toBe('Another text')
    copyFileSync(join(folder, 'plain/opengraph-image.png'), join(folder, 'opengraph-image.png'))
    await expect.poll(() => cardOf('width')).toBe('600')
    rmSync(join(folder, 'opengraph-image.png'))
    await expect.poll(() => cardOf('width')).toBeUndefined()
  })
})

describe('a build', () => {
  const appWith = (files: Readonly<Record<string, string>>) => {
    const root = copyApp({ app: 'pageImages', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    return root
  }

  test('writes images into a static folder, under names that file servers know', async () => {
    const root = appWith({})
    for (const folder of ['dynamic', 'drawn'])
      rmSync(join(root, 'app', folder), { recursive: true })
    const { exitCode, output } = await runWaymark(['build'], root, { TARGET: 'static' })
    expect(exitCode, output).toBe(0)
    expect(output).not.toContain('Left out')
    const card = readFileSync(join(root, 'out/posts/first/opengraph-image/image.png'))
    expect(sizeOf(card)).toBe('1200×630')
    expect(readFileSync(join(root, 'out/favicon.ico')).length).toBeGreaterThan(100)
    expect(readFileSync(join(root, 'out/shop/sitemap/1.xml'), 'utf8')).toContain('/shop/1')
    const html = readFileSync(join(root, 'out/plain/index.html'), 'utf8')
    const asset = /example\.com(\/_waymark[^"]*opengraph-image[^"]*)"/.exec(html)?.[1] ?? ''
    expect(sizeOf(readFileSync(join(root, 'out', asset)))).toBe('600×315')
  })

  test("fails with file and line for a card that can't be drawn", async () => {
    const root = appWith({
      'app/plain/icon.tsx':
        "import { ImageResponse } from '@waymark/image/og'\nexport default function Icon() {\n  return new ImageResponse(<p />, { fonts: [new Uint8Array(8)] })\n}\n",
    })
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(exitCode).toBe(1)
    expect(output).toMatch(
      /\/plain\/icon\/image\.png \(plain\/icon\.tsx\) could not be prerendered/,
    )
    expect(output).toMatch(/app\/plain\/icon\.tsx:3:\d+/)
  })

  test.each([
    [
      'app/plain/opengraph-image.png',
      'x'.repeat(8_000_001),
      /8\.0 MB, but social networks accept at most 8 MB/,
    ],
    [
      'app/plain/icon.png',
      'a text',
      /app\/plain\/icon\.png can't be used as a page's image: its content isn't image\/png/,
    ],
    ['app/plain/twitter-image.webp', 'x', /twitter-image files must be jpg, jpeg, png, gif/],
  ])('fails for %s that would have no effect', async (file, content, message) => {
    const { exitCode, output } = await runWaymark(['build'], appWith({ [file]: content }))
    expect(exitCode).toBe(1)
    expect(output).toMatch(message)
  })
})
