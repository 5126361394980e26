import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const photo = new URL('fixtures/nextNames/app/pictures/ridge.jpg', import.meta.url).pathname
const isDecoded = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
const env = { NEXT_PUBLIC_STAGE: 'here', SECRET_STAGE: 'hidden' }

describeApp('an App Router app with its own imports', { app: 'nextNames', env }, (served) => {
  const heading = async (path: string) =>
    /<h1>(.*?)<\/h1>/.exec(
      (await (await served.fetch(path)).text()).replaceAll('<!-- -->', ''),
    )?.[1]

  test('renders fonts, images, variables and metadata', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    expect(await page.locator('h1').textContent()).toBe('Home for tests')
    expect(await page.title()).toBe('Names')
    const image = page.getByRole('img', { name: 'Logo' })
    expect(await image.getAttribute('width')).toBe('6')
    expect(await image.getAttribute('height')).toBe('4')
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(6)
    const family = await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)
    expect(family).toContain('Source Serif 4')
    await page.getByText('Late is here').waitFor()
    await page.waitForFunction(() => (window as { counted?: string }).counted === 'counter')
    expectQuietConsole()
  })

  test('runs scripts outside of <body>, texts, and code that waits for a script', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    const texts = () =>
      page.evaluate(() => {
        const { texts = 0, pageTexts = 0 } = window as { texts?: number; pageTexts?: number }
        return `${texts} ${pageTexts}`
      })
    await expect.poll(texts).toBe('1 0')
    for (const heard of ['failed loaded ready', 'failed ready']) {
      await page.getByRole('link', { name: 'Scripts' }).click()
      await page.locator('output', { hasText: new RegExp(`^${heard}$`) }).waitFor()
      await expect.poll(texts).toBe('1 1')
      await page.getByRole('link', { name: 'Home' }).click()
      await page.getByRole('heading', { name: 'Home for tests' }).waitFor()
    }
    await page.goto('/scripts')
    await page.locator('output', { hasText: /^failed loaded ready$/ }).waitFor()
    await expect.poll(texts).toBe('1 1')
    expectQuietConsole([/missing\.js/])
  })

  test('keeps images in style sheets as files, because policies of apps forbid data URLs', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/search')
    const background = () =>
      page.locator('.framed').evaluate((element) => getComputedStyle(element).backgroundImage)
    await expect.poll(background).toMatch(/^url\("http.*\/logo.*\.png"\)$/)
  })

  test('shows imported images in the sizes that screens need, and others with the loader', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.route('https://cdn.invalid/**', (route) => route.fulfill({ path: photo }))
    await page.goto('/pictures')
    await hydrated(page)
    const read = (id: string) =>
      page.locator(`#${id}`).evaluate((image: HTMLImageElement) => {
        const { srcset, loading, fetchPriority } = image
        const [width, sizes, src] = ['width', 'sizes', 'src'].map((name) =>
          image.getAttribute(name),
        )
        const blur = image.style.backgroundImage.slice(0, 26)
        return { srcset, loading, fetchPriority, width, sizes, src, blur }
      })
    const imported = await read('imported')
    expect(imported.srcset).toMatch(/^[^ ]+ridge-1000-[^ ]+\.webp$/)
    // The first image of a page is loaded eagerly if the page marks no image as important.
    expect(imported).toMatchObject({ width: '1000', loading: 'eager', fetchPriority: 'high' })
    expect(imported.blur).toBe('url("data:image/webp;base6')
    const html = await (await served.fetch('/pictures')).text()
    expect(html.match(/<link[^>]*as="image"[^>]*>/g)).toHaveLength(1)
    const filling = await read('filling')
    expect(filling.srcset).toMatch(/ridge-160-[^ ]+ 160w, .*ridge-960-[^ ]+ 960w/)
    expect(filling).toMatchObject({ width: null, loading: 'lazy' })
    expect(filling.sizes).toBe('(min-width: 60rem) 50vw, 100vw')
    expect((await read('narrow')).srcset).toMatch(/ridge-320-[^ ]+ 1x, .*ridge-640-[^ ]+ 2x$/)
    const cdn = await read('cdn')
    expect(cdn.srcset).toMatch(/^https:\/\/cdn\.invalid\/a\.jpg\?w=480&q=60 1x, .*w=960&q=60 2x$/)
    expect(await read('plain')).toMatchObject({ srcset: '', src: '/over.jpg' })
    expect(await read('own')).toMatchObject({ sizes: '50vw', loading: 'lazy' })
    expect((await read('face')).srcset).toMatch(/ridge-160-[^ ]+ 1x, .*ridge-320-[^ ]+ 2x$/)
    for (const id of ['imported', 'filling', 'narrow', 'cdn', 'own', 'face']) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded()
      await expect.poll(() => isDecoded(page, `#${id}`)).toBe(true)
    }
    expectQuietConsole([/over\.jpg/, /404/])
  })

  test('gives images of next/legacy/image the size of their layout', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.route('https://cdn.invalid/**', (route) => route.fulfill({ path: photo }))
    await page.goto('/pictures/legacy')
    await hydrated(page)
    const read = (id: string) =>
      page.locator(`#${id}`).evaluate((image: HTMLImageElement) => {
        const box = image.parentElement?.getBoundingClientRect()
        const { width, height } = image.getBoundingClientRect()
        const { objectFit, objectPosition, opacity } = getComputedStyle(image)
        return {
          box: `${box?.width} ${box?.height}`,
          image: `${width} ${height}`,
          style: [objectFit, objectPosition, opacity].join(' '),
          srcset: image.srcset,
          sizes: image.sizes,
        }
      })
    const sizes = { fill: '400 100', fixed: '700 350', small: '100 80', responsive: '600 150' }
    for (const [id, size] of Object.entries(sizes)) {
      expect(await read(id)).toMatchObject({ box: size, image: size })
    }
    // The file has 1000 x 640 pixels.
    for (const id of ['intrinsic', 'sized']) {
      expect(await read(id)).toMatchObject({ box: '600 384', image: '600 384' })
    }
    expect((await read('fill')).style).toBe('contain 0% 0% 1')
    expect((await read('small')).style).toBe('fill 50% 50% 0.5')
    expect((await read('fill')).srcset).toMatch(/ridge-160-[^ ]+ 160w, .*ridge-960-[^ ]+ 960w/)
    expect((await read('fill')).sizes).toBe('100vw')
    expect((await read('sized')).sizes).toBe('50vw')
    expect((await read('fixed')).srcset).toMatch(/w=960&q=75 1x, .*w=1920&q=75 2x$/)
    expectQuietConsole([/missing\.png/, /404/])
  })

  test('calls handlers of images that have arrived before hydration', async () => {
    const { page } = await openPage(served.app)
    const scripts = await holdRequests(page, /\/assets\/.*\.js$/)
    await page.goto('/pictures/legacy', { waitUntil: 'commit' })
    await expect.poll(() => isDecoded(page, '#watched')).toBe(true)
    const state = () =>
      page
        .getByRole('img', { name: 'Missing' })
        .evaluate((image: HTMLImageElement) => image.complete)
    await expect.poll(state).toBe(true)
    await scripts.end('continue')
    await hydrated(page)
    const calls = 'complete true, error, legacy true, load true'
    await page.locator('output', { hasText: new RegExp(`^${calls}$`) }).waitFor()
  })

  test('draws social cards', async () => {
    const html = await (await served.fetch('/')).text()
    const url = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
    const response = await served.fetch(new URL(url, 'http://localhost').pathname)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([600, 315])
  })

  test('follows links of all forms', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.getByRole('link', { name: 'Parts' }).click()
    await page.getByRole('heading', { name: '/search q=parts&n=1&n=2' }).waitFor()
    await page.getByRole('link', { name: 'Boxed' }).click()
    await page.getByRole('heading', { name: '/search q=boxed' }).waitFor()
    await page.getByRole('link', { name: 'One idle' }).click()
    await page.getByRole('heading', { name: 'Post one' }).waitFor()
    expect(await page.title()).toBe('one, names')
    await page.locator('#legacy').click()
    await page.getByRole('heading', { name: 'Client page' }).waitFor()
    await page.getByText('Width known here').waitFor()
    await page.getByRole('link', { name: 'Two' }).click()
    expect(new URL(page.url()).pathname).toBe('/client')
    await page.getByRole('link', { name: 'Two' }).click()
    await page.getByRole('heading', { name: 'Post two' }).waitFor()
  })

  test('navigates from code, within a transition and without the server', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/client')
    await hydrated(page)
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('heading', { name: '/search q=replaced' }).waitFor()
    await page.getByRole('button', { name: 'Push' }).click()
    await page.getByRole('heading', { name: '/search q=replaced&page=2' }).waitFor()
    await page.getByText('settled').waitFor()
    await page.getByRole('button', { name: 'Shallow' }).click()
    await page.getByRole('heading', { name: '/search q=replaced&page=2&shallow=yes' }).waitFor()
    // Read the transitions that instrumentation-client.ts has recorded.
    const transitions = await page.evaluate(
      () => (window as unknown as { transitions: string[] }).transitions,
    )
    expect(transitions).toEqual([
      'setup',
      'replace /search?q=replaced',
      'push /search?q=replaced&page=2',
    ])
  })

  test('inserts the styles of libraries into the head, and before late content', async () => {
    const whole = await (await served.fetch('/inserted')).text()
    expect(whole.match(/<style data-inserted[^>]*>[^<]*<\/style>/g)).toHaveLength(1)
    expect(whole).toMatch(/<style data-inserted[^>]*>#first>b\{.*<\/style><\/head>/)
    const text = await (await served.fetch('/inserted/late')).text()
    const styles = text.split('<style data-inserted').slice(1)
    const head = text.indexOf('</head>')
    expect(styles).toHaveLength(2)
    expect(text.indexOf('#first>b')).toBeLessThan(head)
    expect(text.indexOf('#second>b')).toBeGreaterThan(head)
    expect(text.indexOf('#second>b')).toBeLessThan(text.indexOf('id="second"'))
    for (const path of ['/inserted', '/inserted/late']) {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto(path)
      await hydrated(page)
      const color = (id: string) =>
        page.locator(`#${id} > b`).evaluate((text) => getComputedStyle(text).color)
      expect(await color('first')).toBe('rgb(1, 2, 3)')
      if (path.endsWith('late')) expect(await color('second')).toBe('rgb(4, 5, 6)')
      expectQuietConsole()
    }
  })

  test('shows not-found on the client and on the server', async () => {
    const missing = await served.fetch('/blog/missing')
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('Nothing here')
    const { page } = await openPage(served.app)
    await page.goto('/client')
    await hydrated(page)
    await page.getByRole('button', { name: 'Vanish' }).click()
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.goto('/client')
    await hydrated(page)
    await page.getByRole('button', { name: 'Miss' }).click()
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.goto('/client')
    await hydrated(page)
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: '/search q=foreign%3Bx' }).waitFor()
  })

  test('submits forms to pages and to actions', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.getByLabel('Query').fill('word')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('heading', { name: '/search q=word' }).waitFor()
    await page.goto('/')
    await hydrated(page)
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'ada by /headers' }).waitFor()
  })

  test('invalidates cached values by tag', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/cached')
    await hydrated(page)
    const first = (await page.locator('h1').textContent()) ?? ''
    expect(await heading('/cached')).toBe(first)
    await page.getByRole('button', { name: 'Renew' }).click()
    await expect.poll(() => page.locator('h1').textContent()).not.toBe(first)
  })

  const cachedPage = '/cached/directive'

  /** Returns the text of an element in the HTML of the page with the directive. */
  async function textAt(id: string, search = '', init?: RequestInit): Promise<string> {
    const html = await (await served.fetch(cachedPage + search, init)).text()
    const match = new RegExp(`id="${id}">(.*?)</`).exec(html)
    if (!match?.[1]) throw new Error(`The page holds no #${id}: ${html.slice(0, 3_000)}`)
    return match[1].replaceAll('<!-- -->', '')
  }

  test("a component with 'use cache' is cached without its children", async () => {
    const title = await textAt('title')
    const child = await textAt('child')
    expect(title).toMatch(/^card \d+$/)
    expect(await textAt('title')).toBe(title)
    expect(await textAt('child')).not.toBe(child)
  })

  test("a function with 'use cache' has captured values in its key", async () => {
    const one = await textAt('found', '?q=one')
    expect(one).toMatch(/^one 1 \d+ \/ one 2 \d+$/)
    expect(await textAt('found', '?q=two')).toMatch(/^two/)
    expect(await textAt('found', '?q=one')).toBe(one)
  })

  test("a function with 'use cache' has only its own parameters in its key", async () => {
    const partsOf = async () => {
      const html = await (await served.fetch('/cached/undeclared')).text()
      const [, title] = /<title>(.*?)<\/title>/.exec(html) ?? []
      const [, description] = /content="(Description \d+)"/.exec(html) ?? []
      return { title, description, counts: html.match(/<b>\d+<\/b>/g) }
    }
    const first = await partsOf()
    expect(first.title).toMatch(/^Title \d+, names$/)
    expect(first.counts).toHaveLength(2)
    expect(first.counts?.[1]).toBe(first.counts?.[0])
    const second = await partsOf()
    expect(second.description).not.toBe(first.description)
    expect(second.title).toBe(first.title)
    expect(served.app.logs()).not.toContain('Only plain objects')
  })

  test("a function with 'use cache' may not read the request, and caches no error", async () => {
    expect(await textAt('request')).toContain('cookies() was used in a cached function')
    const failing = { headers: { 'x-fail': 'yes' } }
    expect(await textAt('source', '?q=fails', failing)).toBe('no source')
    expect(await textAt('source', '?q=fails')).toMatch(/^fails \d+$/)
    expect(await textAt('source', '?q=fails', failing)).toMatch(/^fails \d+$/)
  })

  test("a file with 'use cache' is cached until its tag is invalidated, together with cached()", async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const first = await textAt('file')
    expect(first).toMatch(/^x \d+ \d+ \d+ \d+$/)
    expect(await textAt('file')).toBe(first)
    await page.goto(`${cachedPage}?q=one`)
    await hydrated(page)
    await page.getByRole('button', { name: 'End' }).click()
    const others = first.split(' ').slice(2)
    await expect.poll(() => page.locator('#file').textContent()).not.toBe(first)
    expect(((await page.locator('#file').textContent()) ?? '').split(' ').slice(2)).toEqual(others)
    expectQuietConsole()
  })

  test("'use cache' works next to actions: inline, and in their file", async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(`${cachedPage}?q=three`)
    await hydrated(page)
    const source = await page.locator('#source').textContent()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('#saved').textContent()).toBe(`three ${source}`)
    const button = page.locator('#ask')
    await button.click()
    await expect.poll(() => button.textContent()).toMatch(/^Price tea \d+$/)
    const price = await button.textContent()
    await page.reload()
    await hydrated(page)
    await button.click()
    await expect.poll(() => button.textContent()).toBe(price)
    expectQuietConsole()
  })

  test('caches fetch requests that ask for it, and sends equal requests of a page once', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/fetched')
    await hydrated(page)
    const read = async () => JSON.parse((await page.locator('h1').textContent()) ?? '')
    const first = await read()
    expect(first.isShared).toBe(true)
    expect(first.ada).not.toBe(first.bob)
    await page.reload()
    await hydrated(page)
    const second = await read()
    expect(second).toEqual({ ...first, fresh: second.fresh })
    expect(second.fresh).toBeGreaterThan(first.fresh)
    const stays = await heading('/fetched/static')
    if (served.mode === 'production') expect(await heading('/fetched/static')).toBe(stays)
    expect(await heading('/fetched/forced')).not.toBe(await heading('/fetched/forced'))
    await page.getByRole('button', { name: 'Renew' }).click()
    await expect.poll(async () => (await read()).cached).toBeGreaterThan(first.cached)
    expect((await read()).forced).toBe(first.forced)
    expect(await heading('/fetched/static')).not.toBe(stays)
  })

  test('gives route handlers their request', async () => {
    const answer = await served.fetch('/api/7?q=a', { headers: { cookie: 'who=ada' } })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('set-cookie')).toBe('id=7; Path=/')
    expect(await answer.json()).toEqual({ id: '7', q: 'a', who: { name: 'who', value: 'ada' } })
    const sent = await served.fetch('/api/7', { method: 'POST', body: '{"a":1}' })
    expect(await sent.json()).toEqual({ sent: { a: 1 } })
    const gone = await served.fetch('/api/7', { method: 'PUT' })
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/headers'])
  })

  test('runs a GET next to a POST for each request, whatever its options say', async () => {
    const sent = { method: 'POST', body: '{"name":"ada"}' }
    expect(await (await served.fetch('/api/letter', sent)).json()).toEqual({ name: 'ADA' })
    const got = await served.fetch('/api/letter', { headers: { 'x-name': 'bo' } })
    expect(await got.json()).toEqual({ name: 'BO' })
  })

  test('runs middleware.ts, which redirects, rewrites and changes headers', async () => {
    const away = await served.fetch('/private')
    expect([away.status, away.headers.get('location')]).toEqual([307, '/search?q=login'])
    const inside = await served.fetch('/private', { headers: { cookie: 'session=1' } })
    expect(inside.status).toBe(200)
    expect(inside.headers.get('set-cookie')).toBe('seen=1; Path=/; HttpOnly')
    expect([...inside.headers.keys()].filter((name) => name.startsWith('x-middleware'))).toEqual([])
    expect(await heading('/headers')).toBe('nobody by /headers')
    expect(await heading('/blog/one?as=other')).toBe('Rewritten ')
    const forged = { 'x-middleware-next': '1', 'x-middleware-subrequest': 'middleware' }
    expect((await served.fetch('/private', { headers: forged })).status).toBe(307)
  })

  test.each([
    ['/old/first', 308, '/blog/first'],
    ['/beta/a/b?on=1', 307, '/search?on=1&from=a%2Fb'],
    ['/beta/a', 404, null],
  ])('next.config redirects %s with %d to %s', async (path, status, location) => {
    const answer = await served.fetch(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location])
  })

  test('next.config rewrites before pages, after pages and as a fallback', async () => {
    expect(await heading('/shown')).toBe('Rewritten ')
    expect(await heading('/blog')).toBe('Rewritten ')
    expect(await heading('/blog/one')).toBe('Post one')
    expect(await heading('/lost/a/b')).toBe('Rewritten a/b')
    expect((await served.fetch('/blog/one')).headers.get('x-slug')).toBe('is one')
  })
})
