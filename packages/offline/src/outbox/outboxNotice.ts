import type { createNoticeBoard } from 'waymark/plugin/client'
import type { Entry } from './entry.ts'
import { outboxTexts as texts } from './outboxTexts.ts'

/** Reason why a call isn't stored in the outbox. */
export type NotQueued = 'tooLargeToSave' | 'full' | 'noSpace'

type NoticeAction = { readonly label: string; readonly run: () => void }

type NoticeBoard = Pick<ReturnType<typeof createNoticeBoard>, 'show' | 'hide'>

/** Shows the state of the outbox in a notice. */
export function createOutboxNotice(board: NoticeBoard, edit: (id: number) => void) {
  let visible: { readonly isOfQueue: boolean } | null = null

  /** @returns a function that hides the notice, unless a different one has replaced it */
  function show(
    text: string,
    {
      isOfQueue = false,
      actions = [],
    }: { isOfQueue?: boolean; actions?: readonly NoticeAction[] } = {},
  ): () => void {
    const notice = { isOfQueue }
    visible = notice
    const ok = { label: texts.ok, run: board.hide }
    board.show({ text, actions: [...actions, ok], onEscape: board.hide })
    return () => {
      if (visible === notice) board.hide()
    }
  }

  return {
    /**
     * @param count number of waiting entries
     * @param isRefused true if the server or a proxy responded with an error, so there is a connection
     */
    queued(count: number, isRefused = false): void {
      const many = count > 1 ? texts.savedMany.replace('{count}', String(count)) : texts.saved
      show(isRefused ? texts.savedRefused : many, { isOfQueue: true })
    },
    nothingWaits(): void {
      if (visible?.isOfQueue) board.hide()
    },
    /** Shows that a call isn't stored for later. @returns a function that hides the notice */
    notQueued(reason: NotQueued): () => void {
      return show(texts[reason])
    },
    /** Shows that a different user has signed in since this document was loaded. */
    otherUser(): void {
      show(texts.otherUser, {
        actions: [{ label: texts.reload, run: () => document.defaultView?.location.reload() }],
      })
    },
    /** Shows that an entry could be neither deleted nor changed. */
    storageFailed(): void {
      show(texts.storageFailed)
    },
    problem({ id, description, state }: Entry): void {
      if (state.kind !== 'needs-attention') return
      const text = texts.unsent
        .replace('{label}', () => description.label)
        .replace('{message}', () => state.problem.message)
      show(text, { actions: [{ label: texts.edit, run: () => edit(id) }] })
    },
  }
}
