import { createLocale, english, type ScreenLocale } from '../../screens/screenLocale.ts'
import type { ScreenTextOverrides } from '../../screens/screenTexts.ts'
import { localeBlockId } from '../../shared/documentMarks.ts'

/**
 * The language that the document's screens and notices speak. An app without a `screens.ts` has
 * no code for it.
 */
export function documentLocale(): ScreenLocale {
  if (!import.meta.env.WAYMARK_SCREENS) return english
  const block = document.querySelector(`head>script[id=${localeBlockId}]`)?.textContent
  if (!block) return english
  const { lang, texts } = JSON.parse(block) as { lang: string; texts: ScreenTextOverrides }
  return createLocale(lang, texts)
}
