import { expect, test, vi } from 'vitest'
import { createOutboxNotice } from './outboxNotice.ts'

function create() {
  const board = { show: vi.fn(), hide: vi.fn() }
  return { board, notice: createOutboxNotice(board, () => {}) }
}

test('a call that is not stored hides its own notice only', () => {
  const { board, notice } = create()
  const hide = notice.notQueued('full')
  hide()
  expect(board.hide).toHaveBeenCalledOnce()
  const hideFirst = notice.notQueued('full')
  notice.queued(1)
  hideFirst()
  expect(board.hide).toHaveBeenCalledOnce()
})

test('once nothing waits, only the notice about waiting entries disappears', () => {
  const { board, notice } = create()
  notice.storageFailed()
  notice.nothingWaits()
  expect(board.hide).not.toHaveBeenCalled()
  notice.queued(2)
  notice.nothingWaits()
  expect(board.hide).toHaveBeenCalledOnce()
})
