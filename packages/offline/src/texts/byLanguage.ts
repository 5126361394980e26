import { englishForm, englishOutbox, englishPage, type OfflineTexts } from '../shared/texts.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

const en: OfflineTexts = { page: englishPage, outbox: englishOutbox, form: englishForm }

/** The package's texts by language. Only the server loads this module. */
export const texts = { en, ar, de, es, fr, ja }
