import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { expectRunsOnce } from './harness/fleetNotes.ts'
import { freePort } from './harness/freePort.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'

async function startWorkers(args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-workers-'))
  const writesFile = join(folder, 'writes.txt')
  // Set the variable in this process's environment, which the server inherits. The build doesn't
  // depend on it, so it can be shared.
  process.env.WRITES_FILE = writesFile
  const app = await startApp({
    app: 'fleet',
    mode: 'production',
    args: ['--workers', '2', ...args],
  })
  onTestFinished(async () => {
    if (app.exitCode() === null) await app.kill()
    delete process.env.WRITES_FILE
    rmSync(folder, { recursive: true, force: true })
  })
  const get = (path: string) => fetch(`${app.origin}${path}`, { headers: { connection: 'close' } })
  /** Returns the ids of the worker processes that respond. */
  const pids = async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => get('/api/pid?ms=30').then((answer) => answer.text())),
    )
    return [...new Set(answers.map(Number))]
  }
  return { app, get, pids, writesFile }
}

test('workers share a port, are ready together, and end together', async () => {
  const { app, get, pids } = await startWorkers()
  await expect.poll(app.logs).toMatch(/serves http:\/\/localhost:\d+ with 2 workers/)
  expect((await get('/_waymark/health/ready')).status).toBe(200)
  const serving = await pids()
  expect(serving.length).toBe(2)
  expect(serving).not.toContain(app.pid)
  const running = get('/api/pid?ms=800').then((answer) => answer.text())
  await expect.poll(app.logs).toContain('A slow request has begun.')
  const stopped = app.stop()
  expect(serving).toContain(Number(await running))
  await stopped
  for (const pid of serving) expect(() => process.kill(pid, 0)).toThrow()
})

test('a killed worker loses no completed write, and no request that is repeated', async () => {
  const { app, pids, writesFile } = await startWorkers()
  const [victim = 0] = await pids()
  const balancer = await startSwitchProxy(app.origin, { retries: 5 })
  onTestFinished(() => balancer.stop())
  const answered: string[] = []
  let isOver = false
  const write = async (client: number) => {
    for (let n = 0; !isOver; n++) {
      const text = `${client}-${n}`
      const body = new URLSearchParams({ text })
      const answer = await fetch(`${balancer.origin}/api/writes`, { method: 'POST', body })
      expect([answer.status, await answer.text()]).toEqual([200, `written: ${text}`])
      answered.push(text)
    }
  }
  const clients = [1, 2, 3, 4].map(write)
  await expect.poll(() => answered.length).toBeGreaterThan(40)
  process.kill(victim, 'SIGKILL')
  const before = answered.length
  await expect.poll(() => answered.length).toBeGreaterThan(before + 80)
  await expect.poll(async () => (await pids()).length).toBe(2)
  isOver = true
  await Promise.all(clients)
  const written = new Set(readFileSync(writesFile, 'utf8').split('\n'))
  expect(answered.filter((text) => !written.has(text))).toEqual([])
  expect(await pids()).not.toContain(victim)
  await expect
    .poll(app.logs)
    .toContain(`(process ${victim}) ended with SIGKILL. A new worker starts`)
})

test('a worker that ends because of a bug is replaced, and SIGHUP replaces all workers', async () => {
  const { app, get, pids } = await startWorkers()
  const before = await pids()
  await fetch(`${app.origin}/api/pid`, { method: 'POST' })
  await expect.poll(() => app.logs()).toContain('ended with code 7')
  await expect.poll(async () => (await pids()).length).toBe(2)
  const replaced = await pids()
  process.kill(app.pid, 'SIGHUP')
  let failures = 0
  await expect
    .poll(async () => {
      const answer = await get('/').catch(() => null)
      if (answer?.status !== 200) failures++
      const now = await pids()
      return now.length === 2 && now.every((pid) => ![...before, ...replaced].includes(pid))
    })
    .toBe(true)
  expect(failures).toBe(0)
  await app.stop()
})

test('a worker whose app throws in a timer continues', async () => {
  const { app, get, pids } = await startWorkers()
  const before = await pids()
  await get('/api/pid?throws=yes')
  await expect.poll(() => app.logs()).toContain('thrown in a timer of a worker')
  expect((await get('/')).status).toBe(200)
  expect((await pids()).sort()).toEqual(before.sort())
})

test('a port in use ends the start, with its number', async () => {
  const port = await freePort()
  const { createServer } = await import('node:http')
  const server = createServer().listen(port)
  onTestFinished(() => void server.close())
  const starting = startApp({ app: 'fleet', mode: 'production', port, args: ['--workers', '2'] })
  await expect(starting).rejects.toThrow(
    `The server ended:\nPort ${port} is used by another program.`,
  )
})

test('two servers with one folder run a submission once', () => expectRunsOnce())
