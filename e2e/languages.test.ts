import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const notice = (page: Page) => page.locator('[data-waymark-notice]')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const rows = [
  {
    lang: 'ar',
    dir: 'rtl',
    missing: 'لم يتم العثور على هذه الصفحة.',
    digest: 'معرّف الخطأ:',
    slow: 'يستغرق تحميل هذه الصفحة وقتًا أطول من المعتاد.',
    wait: 'متابعة الانتظار',
    offline: 'أنت غير متصل بالإنترنت. ستُحمَّل الصفحة عند عودة الاتصال.',
    open: 'فتح الصفحة',
    type: 'نوع الملف \u2068me.png\u2069 غير مقبول. الأنواع المقبولة: PNG وJPEG.',
    theme: 'المظهر: حسب النظام. التبديل إلى: داكن.',
    select: 'المظهر',
    size: 'حجم الملف \u2068me.png\u2069 أكبر من 1.5 ميغابايت.',
  },
  {
    lang: 'de',
    dir: 'ltr',
    missing: 'Diese Seite wurde nicht gefunden.',
    digest: 'Fehlerkennung:',
    slow: 'Diese Seite lädt länger als gewöhnlich.',
    wait: 'Weiter warten',
    offline: 'Sie sind offline. Die Seite wird geladen, sobald Sie wieder online sind.',
    open: 'Öffnen',
    type: 'me.png hat den falschen Dateityp. Erlaubt: PNG und JPEG.',
    theme: 'Farbschema: System. Zu Dunkel wechseln.',
    select: 'Farbschema',
    size: 'me.png ist größer als 1,5 MB.',
  },
] as const

/** English words of Waymark's texts that aren't words of German. */
const english =
  /\b(?:the|this|page|could|couldn't|not|found|reload|back|home|error|application|digest|keep|waiting|cancel|retry|open|longer|taking|usual|you're|loaded|sent|file|larger|type|theme|switch|light|dark)\b/i

/** Returns the English words that a person can see or hear, without the host and the digest. */
async function englishWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [aria-description], [title]')]
    const names = ['aria-label', 'aria-description', 'title']
    return [
      document.title,
      // biome-ignore lint/performance/useDomNodeTextContent: leaves out hidden texts
      document.body.innerText,
      ...labels.flatMap((each) => names.map((name) => each.getAttribute(name) ?? '')),
    ]
  })
  return texts.flatMap((text) => english.exec(text) ?? [])
}

async function directionOf(page: Page, selector: string) {
  const { lang, dir } = await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { lang, dir } = element as HTMLElement
      return { lang, dir }
    })
  return { lang, dir }
}

describeApp('an app in several languages', { app: 'languages' }, (served) => {
  describe.each(rows)('in $lang', ({ lang, dir, ...texts }) => {
    async function visit(path: string) {
      const visit = await openPage(served.app, { locale: lang })
      await visit.page.goto(path)
      return visit
    }

    async function expectLanguage(page: Page, selector: string) {
      expect(await englishWords(page)).toEqual([])
      expect(await directionOf(page, 'html')).toEqual({ lang, dir })
      expect(await directionOf(page, selector)).toEqual({ lang, dir })
    }

    test('a missing page', async () => {
      const { page } = await visit('/nope')
      await page.getByRole('heading', { name: texts.missing }).waitFor()
      expect(await page.title()).toBe(`404: ${texts.missing}`)
      await expectLanguage(page, '.waymark-screen')
    })

    test('an error on the server, with its digest', async () => {
      const { page } = await visit('/broken')
      const line = page.getByText(texts.digest)
      await line.waitFor()
      expect(await line.textContent()).toMatch(/[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{3}$/)
      await expectLanguage(page, '.waymark-screen')
    })

    test('a slow navigation, then one without a network', async () => {
      const { page } = await visit('/')
      await hydrated(page)
      const data = await holdRequests(page, /_waymark\/data\/slow/)
      await page.getByRole('link', { name: '2' }).click()
      await notice(page).getByText(texts.slow).waitFor()
      await button(page, texts.wait).waitFor()
      await expectLanguage(page, '[data-waymark-notice]')
      await page.context().setOffline(true)
      await data.end('abort')
      await notice(page).getByText(texts.offline).waitFor()
      await expectLanguage(page, '[data-waymark-notice]')
    })

    test('the theme controls', async () => {
      const { page } = await visit('/')
      await button(page, texts.theme).waitFor()
      await page.getByRole('combobox', { name: texts.select }).waitFor()
      expect(await englishWords(page)).toEqual([])
    })

    test('a file that a form refuses', async () => {
      const { page } = await visit('/')
      await hydrated(page)
      const problem = page.locator('#problem')
      const submit = async (content: Buffer) => {
        await page.setInputFiles('input[type=file]', {
          name: 'me.png',
          mimeType: 'image/png',
          buffer: content,
        })
        await button(page, '3').click()
      }
      await submit(Buffer.from('<html>'))
      await expect.poll(() => problem.textContent()).toBe(texts.type)
      await submit(Buffer.alloc(1_600_000, '\x89PNG\r\n\x1a\n', 'latin1'))
      await expect.poll(() => problem.textContent()).toBe(texts.size)
      expect(await englishWords(page)).toEqual([])
    })

    test('a document contains only the texts of its own language', async () => {
      const headers = { 'accept-language': lang }
      const html = await (await served.fetch('/', { headers })).text()
      const [, json = '{}'] = /id="waymark-texts">(.*?)<\/script>/.exec(html) ?? []
      expect(JSON.parse(json)).toMatchObject({
        lang,
        texts: { notices: { slow: texts.slow, open: texts.open } },
      })
      const others = rows.filter((row) => row.lang !== lang)
      for (const { slow, missing } of others) {
        expect(html).not.toContain(slow)
        expect(html).not.toContain(missing)
      }
      const inEnglish = await served.fetch('/', { headers: { 'accept-language': 'en' } })
      expect(await inEnglish.text()).not.toContain('waymark-texts')
    })
  })
})

describeApp('an app with a language in each URL', { app: 'i18n' }, (served) => {
  test.each([
    ['/ar/nothing', 'en', 'ar'],
    ['/de/nichts', 'ar', 'de'],
    ['/en/nothing', 'de', 'en'],
    ['/xx', 'de', 'en'],
  ])('has the screen of %s for a visitor who prefers %s in %s', async (path, wanted, lang) => {
    const response = await served.fetch(path, { headers: { 'accept-language': wanted } })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain(`class="waymark-screen" lang="${lang}"`)
  })

  test.each(['ar', 'de'])('has notices in the language of the page, in %s', async (lang) => {
    const html = await (await served.fetch(`/${lang}`)).text()
    expect(html).toContain(`id="waymark-texts">{"lang":"${lang}"`)
  })
})
