import { expect, test } from 'vitest'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { add, openOutbox, startLedgerApp } from './harness/outbox.ts'

const german = {
  'screens.ts': `import type { Screens } from 'waymark/server'
const offline = {
  outbox: {
    saved: 'Keine Verbindung. Das wird gesendet, sobald es eine gibt.',
    unsent: '„{label}“ wurde nicht gesendet: {message}',
    refused: 'Das darfst du nicht.',
    title: 'Wartet auf den Versand',
    waiting: 'Wartet auf eine Verbindung',
    withdraw: 'Löschen',
    edit: 'Bearbeiten',
    retry: 'Jetzt senden',
    ok: 'Gut',
  },
}
export const texts: Screens['texts'] = { de: { packages: { '@waymark/offline': offline } } }
export const language: Screens['language'] = ({ headers }) =>
  headers.get('accept-language')?.startsWith('de') ? 'de' : 'en'
`,
}

test('the outbox uses the texts of screens.ts, in the language of the document', async () => {
  const app = await startLedgerApp('production', german)
  const { page } = await openOutbox(app, '/', { locale: 'de-DE' })
  const list = page.getByRole('region', { name: 'Wartet auf den Versand' })
  await app.kill()
  await add(page, 'forbidden')
  await notice(page).getByText('Das wird gesendet, sobald').waitFor()
  await expect.poll(() => notice(page).getByText('Das wird').evaluate(languageOf)).toBe('de')
  await list.getByText('Wartet auf eine Verbindung').waitFor()
  for (const name of ['Löschen Note', 'Bearbeiten Note', 'Jetzt senden Note']) {
    await list.getByRole('button', { name }).waitFor()
  }
  await app.start(german)
  await list.getByText('Das darfst du nicht.').waitFor()
  await notice(page).getByText('„Note“ wurde nicht gesendet: Das darfst du nicht.').waitFor()
  await notice(page).getByRole('button', { name: 'Bearbeiten' }).waitFor()
  await notice(page).getByRole('button', { name: 'Gut' }).click()
})

const arabic = {
  'screens.ts': `import { ar } from '@waymark/i18n/texts'
export const texts = { ar }
`,
}

test('the outbox is in Arabic, from right to left, even on a page in another language', async () => {
  const app = await startLedgerApp('production', arabic)
  const { page } = await openOutbox(app, '/', { locale: 'ar' })
  await app.kill()
  await add(page, 'forbidden')
  const list = page.getByRole('region', { name: 'في انتظار الإرسال' })
  await list.getByText('في انتظار الاتصال').waitFor()
  await notice(page).getByText('أنت غير متصل بالإنترنت.').waitFor()
  for (const part of [list, notice(page)]) {
    expect(await part.evaluate(directionOf)).toEqual({ lang: 'ar', dir: 'rtl' })
  }
  for (const name of ['حذف Note', 'تعديل Note', 'إرسال الآن Note']) {
    await list.getByRole('button', { name }).waitFor()
  }
  // The form's own words are still in English.
  const words = (await list.textContent())?.match(/[a-z]+/gi)
  expect(words).toEqual(['Notetext', 'forbidden'])
  await app.start(arabic)
  await list.getByText('ليس لديك إذن للقيام بذلك.').waitFor()
  await notice(page).getByText('تعذّر إرسال «\u2068Note\u2069»: ليس لديك إذن للقيام بذلك.').waitFor()
})

test('missing texts of another language are in English', async () => {
  const app = await startLedgerApp('production', german)
  const { page } = await openOutbox(app, '/', { locale: 'en-GB' })
  await app.kill()
  await add(page, 'milk')
  await notice(page).getByText('This is saved in your browser').waitFor()
  await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor()
})

function languageOf(element: Element): string | null | undefined {
  return element.closest('[lang]')?.getAttribute('lang')
}

function directionOf(element: Element) {
  const { lang, dir } = element as HTMLElement
  return { lang, dir }
}
