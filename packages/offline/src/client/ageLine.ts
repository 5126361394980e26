import { createNoticeBoard } from 'waymark/plugin/client'
import { fillTime, pageTexts, timeText } from '../shared/pageTexts.ts'
import { shownTexts } from '../shared/shownTexts.ts'

/** The line over a page that was kept: when it was current, and that there is no connection. */
export function createAgeLine(document: Document) {
  let board: ReturnType<typeof createNoticeBoard> | null = null
  const hide = () => board?.hide()
  return {
    hide,
    show(savedAtMs: number): void {
      const { lang, dir, texts } = shownTexts(document, 'page', pageTexts)
      board ??= createNoticeBoard(document, { lang, dir })
      const text = fillTime(texts.asOf, timeText(savedAtMs, Date.now(), lang))
      board.show({ text, actions: [], onEscape: hide })
    },
  }
}
