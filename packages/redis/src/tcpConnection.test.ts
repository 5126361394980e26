import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { connectOverTcp } from './tcpConnection.ts'
import { describeWithRedis, startRedis } from './testing/redisServer.ts'

describeWithRedis('a connection to Redis', () => {
  test('that is lost again while it returns is reported as unavailable once', async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const log = vi.fn<(line: string) => void>()
    const address = { urls: [server.url], prefix: 'connection' } as const
    const connection = await connectOverTcp({ address, log, meanwhile: '' })
    onTestFinished(() => connection.close())
    await server.kill()
    await eventually(() => expect(log).toHaveBeenCalledOnce())
    let returns = 0
    connection.onBack(() => {
      returns += 1
      const answer = returns < 2 ? Promise.reject(new Error('lost')) : Promise.resolve()
      return connection.run(undefined, () => answer)
    })
    await server.start()
    await eventually(() => expect(log.mock.lastCall?.[0]).toMatch(/is available again\.$/))
    expect([log.mock.calls.length, returns]).toEqual([2, 2])
  })

  describe('that the server has closed', () => {
    async function connectTwice() {
      const server = await startRedis()
      onTestFinished(() => server.stop())
      const log = vi.fn<(line: string) => void>()
      const address = { urls: [server.url], prefix: 'connection' } as const
      const connection = await connectOverTcp({ address, log, meanwhile: '' })
      onTestFinished(() => connection.close())
      const other = await connectOverTcp({ address, log: () => {}, meanwhile: '' })
      onTestFinished(() => other.close())
      const closeAll = () =>
        other.run(null, async (send) => {
          await send('', 'CLIENT', 'KILL', 'TYPE', 'pubsub')
          await send('', 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
        })
      const set = () => connection.run<unknown>('away', (send) => send('a', 'SET', 'a', 'b'))
      return { server, log, connection, closeAll, set }
    }

    test('is opened again, and commands wait for it', async () => {
      const { log, connection, closeAll, set } = await connectTwice()
      const onBack = vi.fn(async () => {})
      connection.onBack(onBack)
      await closeAll()
      // Block the thread, so that the client, like a frozen process, doesn't know about the closed
      // connections yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      expect((await Promise.all([set(), set()])).map(String)).toEqual(['OK', 'OK'])
      expect(String(await set())).toBe('OK')
      expect(log).not.toHaveBeenCalled()
      expect(onBack.mock.calls.length).toBeGreaterThan(1)
    })

    test('is not reported as unavailable because the process was frozen while it waited', async () => {
      const { server, log, set } = await connectTwice()
      server.pause()
      const setting = set()
      await new Promise((resolve) => setTimeout(resolve, 50))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
      server.resume()
      expect(String(await setting)).toBe('OK')
      expect(log).not.toHaveBeenCalled()
    })

    test('is unavailable at once if the server is gone', async () => {
      const { server, log, set } = await connectTwice()
      await server.kill()
      const startedAtMs = performance.now()
      expect(await set()).toBe('away')
      expect(performance.now() - startedAtMs).toBeLessThan(500)
      expect(log).toHaveBeenCalledOnce()
    })
  })
})
