import { fileURLToPath } from 'node:url'
import { build, type Rollup } from 'vite'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

declare global {
  interface Window {
    reader: { readFromHtml: (text: string, block: Element) => Promise<string | null> }
    compareTree: (seed: number) => Promise<Outcome>
    moveWord: (url: string) => Promise<boolean[]>
  }
}

/** How many trees are compared; the long form: `TREES=10000`. */
const trees = Number(process.env.TREES ?? 400)

const reader = fileURLToPath(
  new URL('../packages/waymark/src/client/document/readFromHtml.ts', import.meta.url),
)

/** What a tree has come to: `read` is as in the data, `unsure` is fetched, `whole` has no references. */
type Outcome = 'read' | 'unsure' | 'whole' | { readonly seed: number; readonly found: string }

const modes = ['production'] as const

describeModes('the payload of a random document', { app: 'rendering', modes }, (served) => {
  test('is the same as page data, once the HTML around it is read', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/shared')
    await page.addScriptTag({ content: await bundled() })
    await page.addScriptTag({ content: `self.compareTree = ${compareTree}` })
    await page.addScriptTag({ content: `self.moveWord = ${moveWord}` })
    const outcomes: Outcome[] = []
    for (let from = 0; from < trees; from += 100) {
      const some = await page.evaluate(
        ([from, to]) =>
          Promise.all(
            Array.from({ length: to - from }, (_, index) => self.compareTree(from + index)),
          ),
        [from, Math.min(from + 100, trees)] as const,
      )
      outcomes.push(...some)
    }
    const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
    const others = outcomes.filter((each) => typeof each === 'object')
    expect(others.slice(0, 3)).toEqual([])
    expect(count('read')).toBeGreaterThan(trees / 2)
    // Those that an HTML parser changes: a list in a paragraph, a link in a link.
    expect(count('unsure')).toBeLessThan(trees / 5)
    // Half of a text in the place of the other half.
    expect(await page.evaluate(() => self.moveWord('/tree?seed=1'))).toEqual([false, true])
  }, 600_000)

  test('stays whole where HTML has comments that are read as those of slots', async () => {
    const isReduced = async (html: string) => {
      const document = await served.fetch(`/tree?seed=1&html=${encodeURIComponent(html)}`)
      return /<script type="text\/x-component"[^>]*>~/.test(await document.text())
    }
    expect(await isReduced('<!-- & -->')).toBe(true)
    for (const html of ['<!--&-->', '<!&>', '</&>', '<!--&--!>', '<!/&>', '<//&>', '<!--/&--!>']) {
      expect([html, await isReduced(html)]).toEqual([html, false])
    }
  })
})

describeModes('the payload of a document', { app: 'plain', modes }, (served) => {
  test('holds no text of elements without components', async () => {
    const html = await (await served.fetch('/listed')).text()
    expect([html.split('Entry 7').length, html.split('one of several').length]).toEqual([2, 21])
  })

  test('leaves a page to React of which all is the same after a refresh', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const data: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/_waymark/data/')) data.push(new URL(request.url()).pathname)
    })
    await page.goto('/listed')
    await page.locator('ul').evaluate((list) => {
      const link = list.querySelectorAll('a')[12] as HTMLElement
      Object.assign(self, { link, list })
      link.focus()
      list.scrollTop = 90
      getSelection()?.selectAllChildren(list.children[13] as Element)
    })
    const state = () =>
      page.evaluate(() => {
        const { link, list } = self as unknown as { link: Element; list: Element }
        const isSame = list === document.querySelector('ul') && list.contains(link)
        const isFocused = document.activeElement === link
        return [isSame, isFocused, list.scrollTop, String(getSelection())]
      })
    const before = [true, true, 90, 'Entry 13, one of several & "alike"']
    const shown = page.locator('li').last()
    const rendered = await shown.textContent()
    await hydratedElement(page.getByRole('button'))
    expect([await state(), data]).toEqual([before, []])
    // A click would take the focus.
    await page.getByRole('button').evaluate((button: HTMLElement) => button.click())
    await page.getByRole('button', { name: 'refreshed 1' }).waitFor()
    expect(data).toEqual(['/_waymark/data/listed.rsc'])
    await expect.poll(() => shown.textContent()).not.toBe(rendered)
    expect(await state()).toEqual(before)
    expectQuietConsole()
  })

  test.each([
    ['a word of it', 'one of several', 'una de varias'],
    ['a text as translators do', 'one of several', '<font><font>una de varias</font></font>'],
    ['an attribute of it', 'title="Entry 3"', 'title="Entry 3" data-marked="yes"'],
    ['an attribute without a value', 'title="Entry 3"', 'title="Entry 3" data-marked'],
    ['what stands after it', '</article>', '<ul><li>advertisement</li></ul></article>'],
  ])('is fetched where somebody has changed %s', async (_, from, to) => {
    const { page } = await openPage(served.app)
    await page.route('**/listed', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(from, to) })
    })
    const fetched = page.waitForRequest((request) => request.url().includes('/listed.rsc'))
    await page.goto('/listed')
    await fetched
    await page.getByRole('button').click()
    await page.getByRole('button', { name: 'refreshed 1' }).waitFor()
    expect(await page.getByRole('link', { name: /^Entry/ }).count()).toBe(20)
  })
})

describeModes('content with the id of a global of ours', { app: 'plain', modes }, (served) => {
  test.each([
    ['/listed', '<article', /^refreshed 0/, 'refreshed 1'],
    ['/lively', '<h1', /^pressed 0/, 'pressed 1'],
  ])('leaves %s to React', async (path, from, button, after) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(from, `${from} id="__waymark"`)
      await route.fulfill({ response, body })
    })
    await page.goto(path)
    await (await hydratedElement(page.getByRole('button', { name: button }))).click()
    await page.getByRole('button', { name: after }).waitFor()
    expectQuietConsole()
  })
})

describeModes('a long text like a payload', { app: 'rendering', modes }, (served) => {
  // Texts of 32,000 characters go as they are.
  test.each(['constructor', '__proto__'])('does not name the file %s', async (file) => {
    const text = `LONG\n9:I["${file}",[],"a",1]\n`
    const { page, expectQuietConsole } = await openPage(served.app)
    // With client components, and without: there, what a payload names is loaded at idle.
    for (const seed of [1, 5]) {
      const response = await page.goto(`/tree?seed=${seed}&html=${encodeURIComponent(text)}`)
      expect(response?.status()).toBe(200)
      await page.waitForLoadState('networkidle')
    }
    // A random tree may be one that a parser changes.
    expectQuietConsole([/#418/])
  })
})

async function bundled(): Promise<string> {
  const lib = { entry: reader, formats: ['iife' as const], name: 'reader', fileName: 'reader' }
  const [{ output }] = (await build({
    logLevel: 'silent',
    configFile: false,
    build: { write: false, lib },
  })) as [Rollup.RollupOutput]
  return `${output[0].code};self.reader = reader`
}

/** Runs in the browser. @returns whether the document is not read: as it is, and with a word moved */
async function moveWord(url: string): Promise<boolean[]> {
  const html = await (await fetch(url)).text()
  const read = async (html: string) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const block = parsed.querySelector('script[type="text/x-component"]') as Element
    return (await self.reader.readFromHtml(block.textContent.slice(0, -2), block)) === null
  }
  const words = 'A few more words. '
  const moved = html
    .replace(`<p>${words}`, '<p>')
    .replace(`</p><p>${words}`, `</p><p>${words}${words}`)
  return [await read(html), await read(moved)]
}

/** Runs in the browser. */
async function compareTree(seed: number): Promise<Outcome> {
  const fetchText = async (path: string) => (await fetch(`${path}?seed=${seed}`)).text()
  const [html, data] = await Promise.all([fetchText('/tree'), fetchText('/_waymark/data/tree.rsc')])
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const block = parsed.querySelector('script[type="text/x-component"]')
  const text = block?.textContent.slice(0, -2) ?? ''
  if (!block || !text.startsWith('~')) return 'whole'
  const read = await self.reader.readFromHtml(text, block)
  if (read === null) return 'unsure'
  const found = segmentsOf(read)
  const expected = segmentsOf(data)
  if (found === expected) return 'read'
  let at = 0
  while (found[at] === expected[at]) at++
  const around = (all: string) => all.slice(Math.max(0, at - 200), at + 100)
  return { seed, found: `${around(found)}\n\n${around(expected)}` }

  function segmentsOf(flight: string): string {
    const rows = new Map<string, unknown>()
    for (const line of flight.split('\n')) {
      const colon = line.indexOf(':')
      const body = line.slice(colon + 1)
      if (line.startsWith('#') || colon === -1) continue
      rows.set(line.slice(0, colon), /^[[{"]/.test(body) ? JSON.parse(body) : body)
    }
    const resolved = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolved)
      if (typeof value === 'object' && value !== null) {
        const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
        return Object.fromEntries(entries.map(([name, each]) => [name, resolved(each)]))
      }
      if (typeof value !== 'string') return value
      const [, id = '', path = ''] = /^\$L?([0-9a-f]+)((?::.*)?)$/.exec(value) ?? []
      if (id === '' || !rows.has(id)) return value
      let target = rows.get(id)
      for (const step of path.split(':').slice(1)) {
        target = (target as Record<string, unknown>)[step === 'props' ? '3' : step]
        const [, lazy = ''] = /^\$L([0-9a-f]+)$/.exec(String(target)) ?? []
        if (rows.has(lazy)) target = rows.get(lazy)
      }
      return resolved(target)
    }
    return JSON.stringify(resolved((rows.get('0') as { segments: unknown }).segments), null, 1)
  }
}
