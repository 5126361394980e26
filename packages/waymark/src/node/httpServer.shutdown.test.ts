import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { closeOnSignals } from './httpServer.ts'
import { until } from './testing/servers.ts'

function createSource() {
  const source = new EventEmitter() as EventEmitter & { exit(code: number): void }
  const exits: number[] = []
  source.exit = (code) => exits.push(code)
  return { source, exits }
}

const drained = { outcome: 'drained' as const }

describe('closeOnSignals', () => {
  it.each(['SIGTERM', 'SIGINT'])(
    'exits with 0 after %s, once everything is closed',
    async (signal) => {
      const order: string[] = []
      const { source, exits } = createSource()
      const server = {
        close: async () => {
          order.push('close')
          return drained
        },
      }
      closeOnSignals(server, { beforeExit: () => void order.push('beforeExit'), source })
      source.emit(signal, signal)
      await until(() => exits.length === 1)
      expect(order).toEqual(['close', 'beforeExit'])
      expect(exits).toEqual([0])
    },
  )

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('exits at once after a second %s', (signal, code) => {
    const { source, exits } = createSource()
    closeOnSignals({ close: () => new Promise(() => {}) }, { source })
    source.emit('SIGTERM', 'SIGTERM')
    source.emit(signal, signal)
    expect(exits).toEqual([code])
  })

  it('exits with the code that is passed to close(), and closes once', async () => {
    const { source, exits } = createSource()
    let closed = 0
    const close = async () => void closed++
    const ending = closeOnSignals({ close }, { source })
    await Promise.all([ending.close(false, 1), ending.close(false)])
    expect([exits, closed]).toEqual([[1], 1])
  })

  it('exits with 1 if closing fails', async () => {
    const { source, exits } = createSource()
    const errors: unknown[] = []
    const onError = (_message: string, error: unknown) => errors.push(error)
    const failed = new Error('broken')
    closeOnSignals({ close: () => Promise.reject(failed) }, { source, onError })
    source.emit('SIGTERM', 'SIGTERM')
    await until(() => exits.length === 1)
    expect([exits, errors]).toEqual([[1], [failed]])
  })
})
