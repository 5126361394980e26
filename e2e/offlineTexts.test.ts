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
