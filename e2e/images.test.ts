import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

const variant = /\/assets\/(\w+)-(\d+)-[\w-]{8}\.(webp|avif|jpg|png)$/

/** Records the image variants that a page requests, each with its name, width and format. */
function watchVariants(page: Page): Set<string> {
  const requested = new Set<string>()
  page.on('request', (request) => {
    const [, name, width, format] = variant.exec(request.url()) ?? []
    if (name) requested.add(`${name} ${width} ${format}`)
  })
  return requested
}

const isDecoded = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

function tagOf(html: string, id: string): string {
  return new RegExp(`<img[^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? ''
}

describeApp('<Image>', { app: 'images' }, (served) => {
  test('is an img with its dimensions, its variants and a placeholder', async () => {
    const html = await (await served.fetch('/')).text()
    const later = tagOf(html, 'later')
    expect(later).toContain('width="1000" height="640"')
    expect(later).toContain('loading="lazy"')
    expect(later).toContain('sizes="auto, 100vw"')
    expect(later).toContain('url(data:image/webp;base64,')
    const widths = [...later.matchAll(/ridge-(\d+)-[\w-]{8}\.webp \1w/g)].map(([, width]) => width)
    expect(widths).toEqual(['160', '320', '480', '640', '960', '1000'])
    expect(html).toMatch(/<source type="image\/avif" srcSet="[^"]*ridge-640-[\w-]{8}\.avif 640w/i)
    const small = tagOf(html, 'small')
    expect(small).toContain('width="80" height="80"')
    expect(small).toMatch(/dot-160-[\w-]{8}\.webp"/)
    expect(small).not.toContain('sizes')
    expect(small).not.toContain('background')
  })

  test('preloads the first image, and loads the others when they are near', async () => {
    const html = await (await served.fetch('/')).text()
    const preloads = html.match(/<link[^>]*as="image"[^>]*>/g) ?? []
    expect(preloads).toHaveLength(1)
    expect(preloads[0]).toMatch(/imageSrcSet="[^"]*night-640-[^"]*"/i)
    expect(preloads[0]).toMatch(/fetchPriority="high"/i)
    expect(tagOf(html, 'first')).toMatch(/loading="eager"/)
  })

  test('finds the first image of a page that marks none, and ignores logos and cached parts', async () => {
    const html = await (await served.fetch('/gallery')).text()
    const preloads = html.match(/<link[^>]*as="image"[^>]*>/g) ?? []
    expect(preloads).toHaveLength(1)
    expect(preloads[0]).toMatch(/imageSrcSet="[^"]*ridge-640-[^"]*"/i)
    const eager = [...html.matchAll(/<img[^>]*id="(\w+)"[^>]*fetchPriority="high"[^>]*>/gi)]
    expect(eager.map(([, id]) => id)).toEqual(['picture1'])
    expect(html.match(/loading="lazy"/g)).toHaveLength(39)
  })

  test('a page with 40 images, a font, a card and a script has no layout shift', async () => {
    const { page } = await openPage(served.app, { viewport: { width: 390, height: 844 } })
    await page.addInitScript(() => {
      const shifts: unknown[] = []
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries() as unknown as { value: number }[]) {
          shifts.push(value)
        }
      }).observe({ type: 'layout-shift', buffered: true })
      Object.assign(window, { shifts })
    })
    const requested = watchVariants(page)
    await page.goto('/gallery')
    const card = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect((await served.fetch(new URL(card ?? '', page.url()).pathname)).status).toBe(200)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForFunction(() => document.documentElement.dataset.counted === '/gallery')
    for (const name of ['picture1', 'picture20', 'picture38']) {
      await page.locator(`#${name}`).scrollIntoViewIfNeeded()
      await expect.poll(() => isDecoded(page, `#${name}`)).toBe(true)
    }
    expect(await page.evaluate(() => document.fonts.check('1em "Source Serif 4 Variable"'))).toBe(
      true,
    )
    expect(await page.evaluate(() => (window as never as { shifts: number[] }).shifts)).toEqual([])
    expect([...requested].filter((name) => /(960|1000)/.test(name))).toEqual([])
  })

  test('does not change an import without ?image', async () => {
    const html = await (await served.fetch('/')).text()
    const url = /<output>([^<]*)<\/output>/.exec(html)?.[1] ?? ''
    expect(url).toMatch(/ridge(-[\w-]{8})?\.jpg$/)
    expect((await served.fetch(url)).headers.get('content-type')).toBe('image/jpeg')
  })

  test('loads the file that fits, without a layout shift', async () => {
    const visit = await openPage(served.app, { viewport: { width: 300, height: 600 } })
    const { page } = visit
    const requested = watchVariants(page)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(variant, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    const before = await page.locator('#after').boundingBox()
    await page.evaluate(() => {
      const shifts: number[] = []
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as never as { value: number }).value)
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      Object.assign(window, { shifts })
    })
    release()
    for (const id of ['#first', '#later', '#small'])
      await expect.poll(() => isDecoded(page, id)).toBe(true)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    // Allow a small difference, because an image file's height is rounded to whole pixels.
    expect((await page.locator('#after').boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
    expect(await page.evaluate(() => (window as never as { shifts: number[] }).shifts)).toEqual([])
    expect([...requested].sort()).toEqual(
      expect.arrayContaining(['night 320 webp', 'ridge 320 avif', 'dot 160 webp']),
    )
    expect([...requested].filter((name) => /^(night|ridge) (?!320)/.test(name))).toEqual([])
    visit.expectQuietConsole([/cdn\.invalid/, /ERR_NAME_NOT_RESOLVED/])
  })

  test('serves variants with their type and an unlimited lifetime', async () => {
    const html = await (await served.fetch('/')).text()
    for (const format of ['webp', 'avif', 'jpg']) {
      const url =
        new RegExp(`/_waymark/assets/ridge-\\d+-[\\w-]{8}\\.${format}`).exec(html)?.[0] ?? ''
      const { status, headers } = await served.fetch(url)
      expect([status, headers.get('content-type')]).toEqual([
        200,
        format === 'jpg' ? 'image/jpeg' : `image/${format}`,
      ])
      expect(headers.get('cache-control')).toContain('immutable')
    }
    expect((await served.fetch('/_waymark/assets/ridge-641-00000000.webp')).status).toBe(404)
  })

  test('shows the fallback if an image of a loader can’t be loaded', async () => {
    const { page } = await openPage(served.app)
    await page.route('https://cdn.invalid/**', (route) => route.abort())
    await page.goto('/')
    const srcset = tagOf(await (await served.fetch('/')).text(), 'cdn')
    expect(srcset).toContain('https://cdn.invalid/on/a/server.jpg?w=480 480w')
    await expect.poll(() => isDecoded(page, '#cdn')).toBe(true)
    const current = await page
      .locator('#cdn')
      .evaluate((image) => (image as HTMLImageElement).currentSrc)
    expect(current).toMatch(/dot-400-[\w-]{8}\.png$/)
  })

  test.each(['light', 'dark'] as const)(
    '<Picture> follows the chosen theme, under a %s system theme',
    async (colorScheme) => {
      const { page } = await openPage(served.app, { colorScheme })
      const requested = watchVariants(page)
      const [first, second] = colorScheme === 'light' ? ['ridge', 'night'] : ['night', 'ridge']
      await page.goto('/pictures')
      const visible = () =>
        page
          .locator('main img')
          .filter({ visible: true })
          .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).currentSrc))
      await expect.poll(visible).toEqual([expect.stringContaining(`/${first}-`)])
      expect([...requested].some((name) => name.startsWith(second))).toBe(false)
      await page.evaluate(
        (theme) => localStorage.setItem('theme', theme),
        colorScheme === 'light' ? 'dark' : 'light',
      )
      await page.reload()
      await expect.poll(visible).toEqual([expect.stringContaining(`/${second}-`)])
    },
  )

  test('<Picture> shows another image in another view', async () => {
    const { page } = await openPage(served.app, {
      viewport: { width: 400, height: 600 },
      colorScheme: 'light',
    })
    await page.goto('/pictures')
    const image = page.locator('main img').filter({ visible: true })
    await expect
      .poll(() => image.evaluate((image) => (image as HTMLImageElement).currentSrc))
      .toMatch(/\/dot-/)
  })
})

describeApp('remoteImages()', { app: 'images' }, (served) => {
  test('resizes images that the app has rendered, and nothing else', async () => {
    const html = await (await served.fetch('/remote')).text()
    const url = /\/img\/[\w-]+\/640\/store\/[\w-]+/.exec(tagOf(html, 'there'))?.[0] ?? ''
    const image = await served.fetch(url)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(image.headers.get('cache-control')).toContain('max-age=86400')
    expect((await served.fetch(url.replace('/640/', '/641/'))).status).toBe(404)
  })

  test('shows an image, and a fallback for a missing one, which is in the journal', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/remote')
    await expect.poll(() => isDecoded(page, '#there')).toBe(true)
    await expect.poll(() => isDecoded(page, '#missing')).toBe(true)
    const current = await page
      .locator('#missing')
      .evaluate((image) => (image as HTMLImageElement).currentSrc)
    expect(current).toMatch(/dot-400-/)
    await expect.poll(() => served.app.logs()).toMatch(/uploads\/gone\.jpg is 404/)
  })
})

describe('a static export', () => {
  test('exports variants as files', async () => {
    const root = copyApp({ app: 'images' })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const built = await runWaymark(['build'], root, { TARGET: 'static' })
    expect(built.exitCode, built.output).toBe(0)
    const files = readdirSync(join(root, 'out/_waymark/assets'))
    for (const name of [/^ridge-640-.{8}\.webp$/, /^ridge-640-.{8}\.avif$/, /^dot-400-.{8}\.png$/])
      expect(files.filter((file) => name.test(file))).toHaveLength(1)
  })
})
