import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'

type Memory = { heapMb: number; rssMb: number; sockets: number }

const countsOf = async (served: Served): Promise<Record<string, number>> =>
  (await served.fetch('/api/count')).json() as Promise<Record<string, number>>

describeApp('a client that leaves', { app: 'hostile' }, (served) => {
  test('ends the rendering of its document', async () => {
    await expectRenderingEnds(served, '/deep')
  })

  test('ends the rendering of its page data', async () => {
    await expectRenderingEnds(served, '/_waymark/data/deep.rsc')
  })

  test('ends a rendering that has sent nothing yet', async () => {
    await served.fetch('/api/count') // makes the server do its one-time work before the measurement
    const before = await countsOf(served)
    const leaving = Array.from({ length: 10 }, () => abort(served, '/shell', { afterMs: 600 }))
    await Promise.all(leaving)
    await expect.poll(async () => (await countsOf(served)).shells).toBe((before.shells ?? 0) + 10)
    // Rendering all 100 levels would take at least two seconds.
    expect(await settledCount(served, 'shell levels')).toBeLessThan(10 * 90)
  })

  test('cancels the stream of a route handler', async () => {
    await Promise.all(Array.from({ length: 20 }, () => abort(served, '/api/ticks')))
    await expect
      .poll(async () => {
        const counts = await countsOf(served)
        return [counts['ticks begun'], counts['ticks ended']]
      })
      .toEqual([20, 20])
  })

  test('leaves no trace in the log', async () => {
    await Promise.all(Array.from({ length: 20 }, () => abort(served, '/parts')))
    await Promise.all(Array.from({ length: 20 }, () => abort(served, '/parts', { afterMs: 5 })))
    await served.fetch('/')
    expect(served.app.logs()).not.toMatch(/error|abort|closed|abandon/i)
  })
})

describeModes('4,000 clients that leave', { app: 'hostile', modes: ['production'] }, (served) => {
  test('leave no memory behind', { timeout: 120_000 }, async () => {
    await abortMany(served, '/parts', 500)
    await abortMany(served, '/_waymark/data/parts.rsc', 200)
    await abortMany(served, '/api/ticks', 100)
    const before = await memoryOf(served)
    await abortMany(served, '/parts', 3_000)
    await abortMany(served, '/_waymark/data/parts.rsc', 600)
    await abortMany(served, '/api/ticks', 400)
    await expect.poll(async () => (await memoryOf(served)).sockets).toBeLessThan(10)
    const after = await memoryOf(served)
    // A leak of one kilobyte per request would make the difference larger.
    expect(after.heapMb - before.heapMb).toBeLessThan(4)
    expect(after.rssMb).toBeLessThan(400)
    const html = await (await served.fetch('/parts')).text()
    expect(html).toContain('part 5 ')
    expect(served.app.logs()).not.toMatch(/error|warn/i)
  })
})

const memoryOf = async (served: Served): Promise<Memory> =>
  (await served.fetch('/api/memory')).json() as Promise<Memory>

/** Requests a page with 200 nested levels. Each level starts when the previous one is done. */
async function expectRenderingEnds(served: Served, path: string): Promise<void> {
  const clients = 20
  const before = (await countsOf(served)).levels ?? 0
  await Promise.all(Array.from({ length: clients }, () => abort(served, path)))
  const rendered = (await settledCount(served, 'levels')) - before
  expect(rendered).toBeGreaterThanOrEqual(clients)
  expect(rendered).toBeLessThan(clients * 150)
}

/** Waits until a count stays the same for longer than a level takes. */
async function settledCount(served: Served, name: string): Promise<number> {
  let last = -1
  await expect
    .poll(
      async () => {
        const now = (await countsOf(served))[name] ?? 0
        const isSettled = now === last
        last = now
        return isSettled
      },
      { interval: 500 },
    )
    .toBe(true)
  return last
}

async function abortMany(served: Served, path: string, count: number): Promise<void> {
  let left = count
  const work = async () => {
    while (left-- > 0) await abort(served, path)
  }
  await Promise.all(Array.from({ length: 50 }, work))
}

/**
 * Closes the connection when the first bytes of the response arrive, or after `afterMs`
 * milliseconds.
 */
function abort(served: Served, path: string, { afterMs }: { afterMs?: number } = {}) {
  const { host } = new URL(served.app.origin)
  return new Promise<void>((resolve, reject) => {
    const socket = connect(served.app.port, 'localhost', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      if (afterMs !== undefined) void sleep(afterMs).then(() => socket.destroy())
    })
    if (afterMs === undefined) socket.once('data', () => socket.destroy())
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}
