import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { seenText, type TranslatorKind, translate } from './harness/translator.ts'

const kinds: readonly TranslatorKind[] = ['replace', 'insert-remove', 'wrap']

/** Waits until the translator has come after the page. */
const pause = (page: Page) => page.waitForTimeout(100)

/** Holds back the code that starts React. */
async function holdReact(page: Page) {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  let onRequest = () => {}
  const isRequested = new Promise<void>((resolve) => {
    onRequest = resolve
  })
  await page.route(/startReact[-.]|\/start-[\w-]+\.js/, async (route) => {
    onRequest()
    await given
    await route.continue()
  })
  return { isRequested, give }
}

describeModes('a translated page', { app: 'translated' }, (served) => {
  /** Runs the same steps in a page and in a translated one, and compares what is seen after each. */
  async function compare(
    kind: TranslatorKind,
    begin: 'before React' | 'after it',
    steps: readonly ((page: Page) => Promise<unknown>)[],
  ) {
    const plain = await openPage(served.app)
    const translated = await openPage(served.app)
    const { page } = translated
    const react = begin === 'before React' ? await holdReact(page) : null
    await plain.page.goto('/')
    await page.goto('/', { waitUntil: 'commit' })
    if (react) {
      await react.isRequested
      await translate(page, kind)
      await pause(page)
      react.give()
    }
    await hydrated(plain.page)
    await hydrated(page)
    if (!react) await translate(page, kind)
    await pause(translated.page)
    for (const step of steps) {
      for (const { page } of [plain, translated]) await step(page)
      await expect.poll(() => seenText(translated.page)).toBe(await seenText(plain.page))
    }
    plain.expectQuietConsole()
    // A boundary that hydrates seconds after the page may meet a translation: React renders it again.
    translated.expectQuietConsole(begin === 'before React' ? [/React error #418/] : [])
    return translated.page
  }

  const click = (selector: string) => async (page: Page) => {
    await page.click(selector)
    await pause(page)
  }

  describe.each(kinds)('by a translator that does %s', (kind) => {
    test('shows what is current', async () => {
      const page = await compare(kind, 'after it', Array(8).fill(click('#step')))
      expect(await page.locator('font').count()).toBeGreaterThan(10)
    })

    test('goes on through navigations, Back, a form, a refresh and the theme', async () => {
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
      const late = async (page: Page) => {
        await page.locator('#late:visible').click()
        await pause(page)
      }
      const round = [follow('Other'), click('#step'), follow('Stream'), late, back, follow('Home')]
      const page = await compare(kind, 'after it', [
        ...[sign, click('#step'), sign, click('#refresh'), click('[data-waymark-theme-toggle]')],
        ...round,
        sign,
      ])
      expect(await page.inputValue('[aria-label=Typed]')).toBe('')
      expect((await page.title()).replace(/[«»]/g, '')).toBe('Home, translated')
    }, 120_000)

    test.runIf(served.mode === 'production')(
      'before React came is taken over, and stays translated where nothing changed',
      async () => {
        const page = await compare(kind, 'before React', Array(8).fill(click('#step')))
        const paragraph = page.locator('main p').first()
        expect(await paragraph.locator('font').count()).toBeGreaterThan(0)
      },
    )
  })
})
