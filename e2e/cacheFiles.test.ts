import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'

describe('two servers that share files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-fleet-'))
  const apps: App[] = []

  beforeAll(async () => {
    // The servers inherit these settings. The build doesn't depend on them, so it can be shared.
    process.env.WAYMARK_CACHE_DIR = join(folder, 'cache')
    process.env.WRITES_FILE = join(folder, 'writes.txt')
    try {
      const start = () => startApp({ app: 'cache', mode: 'production' })
      apps.push(...(await Promise.all([start(), start()])))
    } finally {
      delete process.env.WAYMARK_CACHE_DIR
      delete process.env.WRITES_FILE
    }
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  const linesOf = async (app: App | undefined): Promise<string[]> => {
    const html = await (await fetch(`${app?.origin}/written`)).text()
    return /id="lines">([^<]*)</.exec(html)?.[1]?.split(' ') ?? []
  }

  test('respond with nothing outdated after one of them was frozen', async () => {
    const [frozen, other] = apps
    const pid = frozen?.pid ?? 0
    const write = (body: string) => fetch(`${other?.origin}/write`, { method: 'POST', body })
    expect((await write('before')).status).toBe(200)
    // Wait until both servers have the page in memory.
    await expect.poll(() => linesOf(frozen)).toEqual(['before'])
    expect(await linesOf(other)).toEqual(['before'])
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(pid, 'SIGCONT'))
    expect((await write('while-frozen')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    // Send the request while the process is stopped, so that the process reads it before its timers
    // run.
    const reading = linesOf(frozen)
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.kill(pid, 'SIGCONT')
    expect(await reading).toEqual(['before', 'while-frozen'])
  })
})
