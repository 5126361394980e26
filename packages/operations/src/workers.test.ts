import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { closeUnclaimed } from './workers.ts'

function setUp() {
  const sent = vi.fn(() => true)
  const worker = Object.assign(new EventEmitter(), { send: sent }) as unknown as ChildProcess
  closeUnclaimed(worker)
  const hand = (seq: number) => {
    const handle = { close: vi.fn() }
    worker.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq }, handle as never)
    return handle
  }
  return { worker, sent, hand }
}

test('a connection that the worker did not accept is closed when the worker ends', () => {
  const { worker, sent, hand } = setUp()
  const accepted = hand(1)
  const untaken = hand(2)
  expect(sent).toHaveBeenCalledTimes(2)
  worker.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: true })
  worker.emit('exit', null, 'SIGKILL')
  expect(accepted.close).not.toHaveBeenCalled()
  expect(untaken.close).toHaveBeenCalledOnce()
})

test('other messages pass unchanged', () => {
  const { worker, sent } = setUp()
  expect(worker.send({ waymark: 'ready' })).toBe(true)
  expect(sent).toHaveBeenCalledWith({ waymark: 'ready' })
  worker.emit('exit', 0, null)
})
