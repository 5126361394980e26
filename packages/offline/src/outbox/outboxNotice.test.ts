import { expect, test, vi } from 'vitest'
import { createOutboxNotice } from './outboxNotice.ts'

const board = vi.hoisted(() => ({ show: vi.fn(), hide: vi.fn() }))
vi.mock('waymark/plugin/client', () => ({
  createNoticeBoard: () => board,
}))

const create = () => {
  board.hide.mockClear()
  return createOutboxNotice({} as Document, () => {})
}

test('a call that is not kept takes its own notice away, and no other', () => {
  const notice = create()
  const hide = notice.notKept('full')
  hide()
  expect(board.hide).toHaveBeenCalledOnce()
  const hideFirst = notice.notKept('full')
  notice.kept(1)
  hideFirst()
  expect(board.hide).toHaveBeenCalledOnce()
})

test('once nothing waits, the notice of what is kept goes, and no other', () => {
  const notice = create()
  notice.storageFailed()
  notice.nothingWaits()
  expect(board.hide).not.toHaveBeenCalled()
  notice.kept(2)
  notice.nothingWaits()
  expect(board.hide).toHaveBeenCalledOnce()
})
