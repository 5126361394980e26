import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { hydrated, isHydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { isReact } from './harness/plainVisit.ts'
import { repetitions } from './harness/runLength.ts'
import { seenText, type TranslatorKind, translate } from './harness/translator.ts'

const kinds: readonly TranslatorKind[] = ['replace', 'insert-remove', 'wrap']

/** A page with lists, conditions, forms and a text field. */
const board = { path: '/board', typed: '[aria-label=Note]' }

/** Waits until the translator has translated the page's latest changes. */
const pause = (page: Page) => page.waitForTimeout(100)

/** Delays the script with React until the test releases it. */
async function holdReact(page: Page): Promise<() => void> {
  let letReactCome = () => {}
  const mayCome = new Promise<void>((resolve) => {
    letReactCome = resolve
  })
  await page.route(
    (url) => isReact(url.href),
    (route) => mayCome.then(() => route.continue()),
  )
  return letReactCome
}

/**
 * Translates a page and marks each translation.
 * @returns a function that counts the marked translations that remain, minus the original number
 */
async function translateMarked(page: Page, kind: TranslatorKind): Promise<() => Promise<number>> {
  await translate(page, kind)
  await pause(page)
  const marked = await page.evaluate(() => {
    const fonts = document.querySelectorAll('font')
    for (const font of fonts) font.setAttribute('data-first', '')
    return fonts.length
  })
  expect(marked).toBeGreaterThan(10)
  return async () => (await page.locator('font[data-first]').count()) - marked
}

/** Returns the texts of both pages, or null if the texts are the same. */
async function difference(plain: Page, translated: Page) {
  const [expected, actual] = await Promise.all([seenText(plain), seenText(translated)])
  return actual === expected ? null : { actual, expected }
}

describeApp('a translated page', { app: 'translated' }, (served) => {
  /**
   * Runs the same steps in an untranslated and a translated page, and compares their visible text
   * after each step.
   */
  async function compare(
    kind: TranslatorKind,
    steps: readonly ((page: Page) => Promise<unknown>)[],
    beforeHydration?: { path: string; typed: string },
  ) {
    const plain = await openPage(served.app)
    const translated = await openPage(served.app)
    await plain.page.goto(beforeHydration?.path ?? '/')
    await hydrated(plain.page)
    if (beforeHydration) await openTranslated(translated.page, kind, beforeHydration)
    else {
      await translated.page.goto('/')
      await hydrated(translated.page)
      await translate(translated.page, kind)
      await pause(translated.page)
    }
    for (const step of steps) {
      for (const { page } of [plain, translated]) await step(page)
      // Poll, because a page may need longer than the pause.
      await expect.poll(() => difference(plain.page, translated.page)).toBeNull()
    }
    plain.expectQuietConsole()
    translated.expectQuietConsole()
    return translated.page
  }

  /**
   * Opens a page that is translated before hydration. React must keep each translation in its
   * place.
   */
  async function openTranslated(
    page: Page,
    kind: TranslatorKind,
    { path, typed }: { path: string; typed: string },
  ) {
    const letReactCome = await holdReact(page)
    await page.goto(path)
    await page.fill(typed, 'typed early')
    const countChanged = await translateMarked(page, kind)
    letReactCome()
    await hydrated(page)
    await pause(page)
    expect(await countChanged()).toBe(0)
    expect(await page.inputValue(typed)).toBe('typed early')
  }

  const click = (selector: string) => async (page: Page) => {
    await page.click(selector)
    await pause(page)
  }

  const follow = (name: string) => async (page: Page) => {
    await page.locator('nav a', { hasText: name }).click()
    await page.locator('h1:visible', { hasText: name }).waitFor()
    await pause(page)
  }
  const back = async (page: Page) => {
    await page.goBack()
    await pause(page)
  }
  const sign = async (page: Page) => {
    await page.fill('[name=name]:visible', 'Ada')
    await page.click('form button:visible')
    await page.locator('#signed:visible', { hasText: 'Ada' }).waitFor()
    await pause(page)
  }

  describe.each(kinds)('by a translator that does %s', (kind) => {
    test('shows the current content', async () => {
      const page = await compare(kind, Array(8).fill(click('#step')))
      expect(await page.locator('font').count()).toBeGreaterThan(10)
    })

    test('continues through navigations, Back, a form, a refresh and the theme', async () => {
      const clickStreamed = async (page: Page) => {
        await page.locator('#late:visible').click()
        await pause(page)
      }
      const round = [
        follow('Other'),
        click('#step'),
        follow('Stream'),
        clickStreamed,
        back,
        follow('Home'),
      ]
      const page = await compare(kind, [
        sign,
        click('#step'),
        sign,
        click('#refresh'),
        click('[data-waymark-theme-toggle]'),
        ...round,
        sign,
      ])
      expect(await page.inputValue('[aria-label=Typed]')).toBe('')
      expect((await page.title()).replace(/[«»]/g, '')).toBe('Home, translated')
    }, 120_000)

    test('is hydrated with its translations, and continues', async () => {
      const page = await compare(kind, [pause, sign, ...Array(7).fill(click('#next')), sign], board)
      expect(await page.locator('#same font[data-first]').count()).toBeGreaterThan(0)
    })

    test('is hydrated with its translations while it is still loading', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const letReactCome = await holdReact(page)
      await page.goto('/stream', { waitUntil: 'commit' })
      await page.locator('h1').waitFor()
      const countChanged = await translateMarked(page, kind)
      letReactCome()
      const fallback = await page.locator('main p', { hasText: 'Loading' }).count()
      const streamedButton = await hydratedElement(page.locator('#late'))
      await pause(page)
      expect(await countChanged()).toBeGreaterThan(-4 * fallback - 1)
      await streamedButton.click()
      await expect.poll(() => seenText(page)).toContain('It came late. Late 1 so far')
      expectQuietConsole()
    })
  })

  test('works even if the code that repairs it never loads', async () => {
    const { page } = await openPage(served.app)
    await page.route(/restoreText/, () => {})
    const letReactCome = await holdReact(page)
    await page.goto('/board', { waitUntil: 'commit' })
    await page.locator(board.typed).waitFor()
    await translateMarked(page, 'replace')
    letReactCome()
    await hydratedElement(page.locator(board.typed))
  })

  test('continues through many navigations after that', { timeout: 240_000 }, async () => {
    const names = ['Other', 'Home', 'Board', 'Stream', 'Home']
    const steps = Array.from({ length: repetitions(15, 50) }, (_, index) => {
      const name = names[index % names.length] ?? ''
      return index % 7 === 6 ? back : index % 10 === 5 ? click('#step') : follow(name)
    })
    await compare('replace', steps, board)
  })
})

const prose = `export default () => (
  <>
    <h1>Prose</h1>
    {Array.from({ length: 20 }, (_, index) => (
      <p key={index}>A paragraph <em>with a part</em> that stands for itself, and is one of twenty.</p>
    ))}
  </>
)
`
const plain = {
  app: 'plain',
  files: { 'app/prose/page.tsx': prose },
  modes: ['production'],
} as const

describeModes('a translated page without React', plain, (served) => {
  test.each([
    ['once its code was prefetched', false],
    ['before that', true],
  ])('%s is hydrated with its translations', async (_, isHeld) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const letReactCome = isHeld ? await holdReact(page) : () => {}
    await page.goto('/prose')
    if (!isHeld) await page.waitForLoadState('networkidle')
    const countChanged = await translateMarked(page, 'replace')
    expect(await isHydrated(page)).toBe(false)
    letReactCome()
    await hydrated(page)
    await pause(page)
    expect(await countChanged()).toBe(0)
    expect(requests.filter((path) => path.includes('data/prose'))).toEqual([])
    expectQuietConsole()
  })
})
