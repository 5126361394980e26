import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  gatewayToken,
  type HttpGateway,
  startHttpGateway,
} from '../../redis/src/testing/httpGateway.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../../redis/src/testing/redisServer.ts'
import {
  bundleTestProgram,
  eventually,
  kill,
  startProgram,
} from '../../waymark/src/shared/testing/processes.ts'

type Line = { readonly server: number; readonly kind: string; readonly dueMs: number }

const folder = mkdtempSync(join(tmpdir(), 'jobs-'))
let program: string
let redis: RedisServer
let gateway: HttpGateway

beforeAll(async () => {
  program = await bundleTestProgram(new URL('./testing/jobProgram.ts', import.meta.url), folder)
  redis = await startRedis()
  gateway = await startHttpGateway(redis.url)
}, 60_000)
afterAll(async () => {
  await gateway.stop()
  await redis.stop()
  rmSync(folder, { recursive: true, force: true })
})

const stores = [
  ['files', () => mkdtempSync(join(folder, 'store-'))],
  ['Redis', () => `${redis.url} ${randomUUID()}`],
  ['Redis over HTTP', () => `${gateway.url} ${randomUUID()} ${gatewayToken}`],
] as const

describeWithRedis('a fleet of three servers', () => {
  describe.each(stores)('with %s', (_, openAddress) => {
    async function startFleet(everyMs: number, lastsMs: number) {
      const address = openAddress()
      const lines: Line[] = []
      const start = async (server: number): Promise<ChildProcess> => {
        const child = await startProgram(program, [address, `${everyMs}`, `${lastsMs}`])
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          for (const line of text.split('\n')) {
            const [kind = '', due = ''] = line.split(' ')
            if (kind) lines.push({ server, kind, dueMs: Number(due) })
          }
        })
        return child
      }
      const children = await Promise.all([start(0), start(1), start(2)])
      onTestFinished(async () => {
        for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
      })
      const of = (kind: string) => lines.filter((line) => line.kind === kind)
      /** Waits for the start of a run. @returns the process that runs the job */
      const firstStart = () =>
        eventually(() => {
          const [first] = of('start')
          const child = children[first?.server ?? -1]
          if (!first || !child) throw new Error('No run has started.')
          return { ...first, child }
        })
      return { children, lines, of, firstStart }
    }

    test('runs each due time once, without overlaps', { timeout: 60_000 }, async () => {
      const { lines, of } = await startFleet(1_000, 300)
      await eventually(() => expect(of('end').length).toBeGreaterThanOrEqual(6))
      const starts = of('start').map(({ dueMs }) => dueMs)
      expect(new Set(starts).size).toBe(starts.length)
      const steps = lines.filter(({ kind }) => kind === 'start' || kind === 'end')
      for (const [at, { kind }] of steps.entries()) expect(kind).toBe(at % 2 ? 'end' : 'start')
    })

    test('takes over the run of a server that is killed', { timeout: 60_000 }, async () => {
      const { of, firstStart } = await startFleet(3_600_000, 2_000)
      const { server, dueMs, child } = await firstStart()
      await kill(child)
      await eventually(() => expect(of('end')).toHaveLength(1))
      const [end] = of('end')
      expect(end?.dueMs).toBe(dueMs)
      expect(end?.server).not.toBe(server)
      expect(of('start')).toHaveLength(2)
    })

    test('takes over from a frozen server, whose run is aborted', { timeout: 60_000 }, async () => {
      const { of, firstStart } = await startFleet(3_600_000, 2_000)
      const { server, dueMs, child } = await firstStart()
      child.kill('SIGSTOP')
      await eventually(() => expect(of('end')).toHaveLength(1))
      child.kill('SIGCONT')
      await eventually(() => expect(of('aborted')).toEqual([{ server, kind: 'aborted', dueMs }]))
      expect(of('end')).toHaveLength(1)
      expect(of('start')).toHaveLength(2)
    })

    test('waits for a run at shutdown, and starts no other', { timeout: 60_000 }, async () => {
      const { of, firstStart } = await startFleet(3_600_000, 2_000)
      const { server, dueMs, child } = await firstStart()
      child.kill('SIGTERM')
      await eventually(() => expect(of('closed')).toHaveLength(1))
      expect(of('end')).toEqual([{ server, kind: 'end', dueMs }])
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(of('start')).toHaveLength(1)
    })
  })
})
