import { createNoticeBoard, readPackageTexts } from 'waymark/plugin/client'
import { fillTime, timeText } from '../shared/savedPageText.ts'
import { englishPage } from '../shared/texts.ts'

/**
 * The line above a saved page. It says when the page was saved, and that there is no connection.
 */
export function createAgeLine(document: Document) {
  let board: ReturnType<typeof createNoticeBoard> | null = null
  const hide = () => board?.hide()
  return {
    hide,
    show(savedAtMs: number): void {
      const local = readPackageTexts('@waymark/offline', { page: englishPage }, document)
      board ??= createNoticeBoard(document, local)
      const { lang, texts } = local
      const text = fillTime(texts.page.asOf, timeText(savedAtMs, Date.now(), lang))
      board.show({ text, actions: [], onEscape: hide })
    },
  }
}
