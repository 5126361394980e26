import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SendCommand } from './redisConnection.ts'
import { appendScript, logNames, readLog } from './redisInvalidations.ts'
import { describeWithRedis, type RedisServer, startRedis } from './testing/redisServer.ts'

describeWithRedis('the log of invalidations', () => {
  let server: RedisServer
  let client: ReturnType<typeof createClient>
  beforeAll(async () => {
    server = await startRedis()
    client = createClient({ url: server.url })
    await client.connect()
  })
  afterAll(async () => {
    client?.destroy()
    await server?.stop()
  })

  const send: SendCommand = (_key, ...args) => client.sendCommand([...args])
  /** Simulates a process that read the position before other processes wrote. */
  function lookedBefore(position: number): SendCommand {
    let isFirst = true
    return async (key, ...args) => {
      const answer = isFirst ? String(position || '') || null : await send(key, ...args)
      isFirst = false
      return answer
    }
  }

  test('is begun by the first process that finds none', async () => {
    const names = logNames(randomUUID())
    const begun = await readLog(send, names, 0)
    expect(begun?.floors).toEqual({ stale: begun?.position, expired: 0 })
    // A second process must not set another floor, because it would make newer entries stale.
    expect(await readLog(lookedBefore(0), names, 0)).toEqual(begun)
  })

  test('is begun again once, after every known position', async () => {
    const names = logNames(randomUUID())
    const futurePosition = Date.now() * 1_000 + 60_000_000
    const begun = await readLog(send, names, futurePosition)
    expect(begun?.position).toBe(futurePosition + 1)
    expect(begun?.floors.stale).toBe(futurePosition + 1)
    expect(await readLog(lookedBefore(0), names, futurePosition - 5)).toEqual(begun)
    expect(await readLog(send, names, futurePosition + 1)).toBeNull()
  })

  test('continues if it was restored from a recent copy', async () => {
    const names = logNames(randomUUID())
    const restored = await readLog(send, names, 0)
    const laterPosition = (restored?.position ?? 0) + 60_000_000
    const begun = await readLog(send, names, laterPosition)
    expect(begun?.floors.stale).toBe(laterPosition + 1)
    const appended = { tags: ['t'], mode: 'stale', self: 'me' } as const
    expect(await appendScript(send, names, appended)).toEqual({
      position: laterPosition + 2,
      previous: laterPosition + 1,
    })
  })
})
