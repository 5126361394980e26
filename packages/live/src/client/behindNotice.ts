import { createNoticeBoard, documentLocale } from 'waymark/plugin/client'
import { liveStore } from './state.ts'

/** A restart or a deploy is over by then. */
const afterMs = 20_000

/** Says that the page on the screen stays behind, and offers to reload it. */
export function showWhenBehind(view: Window): void {
  const { document } = view
  const { get, subscribe } = liveStore()
  const locale = documentLocale()
  const { behind, reload, cancel } = locale.texts.notices
  const board = createNoticeBoard(document, locale)
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = () =>
    board.show({
      text: behind,
      actions: [
        { label: reload, run: () => view.location.reload() },
        { label: cancel, run: board.hide },
      ],
      onEscape: board.hide,
    })
  subscribe(() => {
    clearTimeout(timer)
    if (get().state === 'current') board.hide()
    else timer = setTimeout(show, afterMs)
  })
}
