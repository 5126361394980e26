import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { connectToRedis } from './redisConnection.ts'
import { describeWithRedis, startRedis } from './testing/redisServer.ts'

describeWithRedis('a connection to Redis', () => {
  test('that is lost again while it returns is said to be away once', async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const log = vi.fn<(line: string) => void>()
    const address = { urls: [server.url], prefix: 'connection' } as const
    const connection = await connectToRedis({ address, log, meanwhile: '' })
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
    await eventually(() => expect(log.mock.lastCall?.[0]).toMatch(/is back\.$/))
    expect([log.mock.calls.length, returns]).toEqual([2, 2])
  })
})
