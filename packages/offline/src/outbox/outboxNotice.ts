import { createNoticeBoard, documentLocale } from 'waymark/internal'
import type { Entry } from './entry.ts'
import { outboxTexts as texts } from './outboxTexts.ts'

/** What people are told of the outbox, in one notice. */
export function createOutboxNotice(document: Document, edit: (id: number) => void) {
  const board = createNoticeBoard(document, documentLocale())
  let isOfKept = false

  function show(text: string, ...actions: { label: string; run: () => void }[]): void {
    const ok = { label: texts.ok, run: board.hide }
    board.show({ text, actions: [...actions, ok], onEscape: board.hide })
  }

  return {
    /** @param count of entries that wait for a connection */
    kept(count: number): void {
      isOfKept = true
      show(count > 1 ? texts.keptMany.replace('{count}', String(count)) : texts.kept)
    },
    nothingWaits(): void {
      if (isOfKept) board.hide()
      isOfKept = false
    },
    /** A call that is not kept for later. @returns takes the notice away */
    notKept(reason: 'tooLargeToKeep' | 'full'): () => void {
      isOfKept = false
      show(texts[reason])
      return board.hide
    },
    problem({ id, description, state }: Entry): void {
      if (state.kind !== 'needs-attention') return
      isOfKept = false
      const text = texts.unsent
        .replace('{label}', () => description.label)
        .replace('{message}', () => state.problem.message)
      show(text, { label: texts.edit, run: () => edit(id) })
    },
  }
}
