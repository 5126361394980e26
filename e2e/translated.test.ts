import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { seenText, type TranslatorKind, translate } from './harness/translator.ts'

const kinds: readonly TranslatorKind[] = ['replace', 'insert-remove', 'wrap']

/** Waits until the translator has come after the page. */
const pause = (page: Page) => page.waitForTimeout(100)

describeModes('a translated page', { app: 'translated' }, (served) => {
  /** Runs the same steps in a page and in a translated one, and compares what is seen after each. */
  async function compare(
    kind: TranslatorKind,
    steps: readonly ((page: Page) => Promise<unknown>)[],
  ) {
    const plain = await openPage(served.app)
    const translated = await openPage(served.app)
    for (const { page } of [plain, translated]) {
      await page.goto('/')
      await hydrated(page)
    }
    await translate(translated.page, kind)
    await pause(translated.page)
    for (const step of steps) {
      for (const { page } of [plain, translated]) await step(page)
      await expect.poll(() => seenText(translated.page)).toBe(await seenText(plain.page))
    }
    plain.expectQuietConsole()
    translated.expectQuietConsole()
    return translated.page
  }

  const click = (selector: string) => async (page: Page) => {
    await page.click(selector)
    await pause(page)
  }

  describe.each(kinds)('by a translator that does %s', (kind) => {
    test('shows what is current', async () => {
      const page = await compare(kind, Array(8).fill(click('#step')))
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
      const page = await compare(kind, [
        ...[sign, click('#step'), sign, click('#refresh'), click('[data-waymark-theme-toggle]')],
        ...round,
        sign,
      ])
      expect(await page.inputValue('[aria-label=Typed]')).toBe('')
      expect((await page.title()).replace(/[«»]/g, '')).toBe('Home, translated')
    }, 120_000)
  })
})
