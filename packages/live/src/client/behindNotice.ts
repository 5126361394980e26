import { createNoticeBoard, documentLocale, readPackageTexts } from 'waymark/plugin/client'
import { english } from '../shared/texts.ts'
import { liveStore } from './state.ts'

/** Milliseconds before the notice appears: longer than a restart or a deploy takes. */
const afterMs = 20_000

/** Shows a notice if the page on the screen stays outdated, and offers to reload it. */
export function showWhenBehind(view: Window): void {
  const { document } = view
  const { get, subscribe } = liveStore()
  const local = readPackageTexts('@waymark/live', english)
  const { reload, cancel } = documentLocale().texts.notices
  const board = createNoticeBoard(document, local)
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = () =>
    board.show({
      text: local.texts.behind,
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
