import { navigation } from 'virtual:waymark/navigation'
import { documentLocale } from './locale.ts'
import { createNoticeBoard } from './navigation/notice.ts'
import { createFallbackNotice, type FallbackNotice } from './navigation/wayOut.ts'

/**
 * Makes the way out of a window's navigations, in the document's language.
 * @param isDirty whether leaving the document would lose what was typed
 */
export function loadFallbackNotice(view: Window, isDirty: () => boolean): FallbackNotice {
  const locale = documentLocale()
  const board = createNoticeBoard(view.document, locale)
  const { unattendedMs } = navigation
  return createFallbackNotice({ view, board, isDirty, unattendedMs, texts: locale.texts.notices })
}
