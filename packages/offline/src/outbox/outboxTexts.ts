import { type LocalTexts, readPackageTexts } from 'waymark/plugin/client'
import { englishOutbox, type OutboxTexts } from '../shared/texts.ts'

// The server never renders the outbox, so it needs no translations.
const { lang, dir, texts }: LocalTexts<{ readonly outbox: OutboxTexts }> =
  typeof document === 'undefined'
    ? { lang: 'en', dir: 'ltr', texts: { outbox: englishOutbox } }
    : readPackageTexts('@waymark/offline', { outbox: englishOutbox })

/** Texts of the outbox, in the language of the document. */
export const outboxTexts: OutboxTexts = texts.outbox

export const outboxLocale = { lang, dir }
