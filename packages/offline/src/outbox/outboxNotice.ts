import { createNoticeBoard } from 'waymark/plugin/client'
import type { Entry } from './entry.ts'
import { outboxLocale, outboxTexts as texts } from './outboxTexts.ts'

/** Why a call is not kept for later. */
export type NotKept = 'tooLargeToKeep' | 'full' | 'noSpace'

type NoticeAction = { readonly label: string; readonly run: () => void }

/** What people are told of the outbox, in one notice. */
export function createOutboxNotice(document: Document, edit: (id: number) => void) {
  const board = createNoticeBoard(document, outboxLocale)
  let shown: { readonly isOfKept: boolean } | null = null

  /** @returns takes it away, unless another one has taken its place */
  function show(
    text: string,
    {
      isOfKept = false,
      actions = [],
    }: { isOfKept?: boolean; actions?: readonly NoticeAction[] } = {},
  ): () => void {
    const own = { isOfKept }
    shown = own
    const ok = { label: texts.ok, run: board.hide }
    board.show({ text, actions: [...actions, ok], onEscape: board.hide })
    return () => {
      if (shown === own) board.hide()
    }
  }

  return {
    /**
     * @param count of entries that wait
     * @param isRefused the server, or a proxy, responded with an error: there is a connection
     */
    kept(count: number, isRefused = false): void {
      const many = count > 1 ? texts.keptMany.replace('{count}', String(count)) : texts.kept
      show(isRefused ? texts.keptRefused : many, { isOfKept: true })
    },
    nothingWaits(): void {
      if (shown?.isOfKept) board.hide()
    },
    /** A call that is not kept for later. @returns takes the notice away */
    notKept(reason: NotKept): () => void {
      return show(texts[reason])
    },
    /** The user of this document is not the one who has signed in last. */
    otherUser(): void {
      show(texts.otherUser, {
        actions: [{ label: texts.reload, run: () => document.defaultView?.location.reload() }],
      })
    },
    /** Neither deleted, nor changed. */
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
