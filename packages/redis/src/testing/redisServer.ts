import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from 'redis'
import { describe } from 'vitest'
import { findRedisServer, redis } from '../../../../scripts/workspace/systemTools.mjs'

/** A Redis of its own, started for a test. */
export type RedisServer = {
  readonly url: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again, empty, on the same port; one of a cluster knows the others still. */
  start(): Promise<void>
  /** Lets it hang: it takes connections and answers nothing. */
  pause(): void
  resume(): void
  /** Closes the connections of all clients, as a server or proxy does with idle ones. */
  closeConnections(): Promise<void>
  stop(): Promise<void>
}

/** A suite that needs Redis or Valkey: where neither is installed, it fails and says how to get one. */
export function describeWithRedis(name: string, define: () => void): void {
  if (redis.find() === null) throw new Error(redis.hint())
  describe(name, define)
}

/** Starts Redis on a free port. @param args further ones, such as `--cluster-enabled yes` */
export async function startRedis(args: readonly string[] = []): Promise<RedisServer> {
  const program = findRedisServer()
  if (!program) throw new Error(redis.hint())
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-redis-'))
  const fixed = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder]
  let child: ChildProcess | null = null

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null

  /** Waits, because a client of another test may use the port: the system picks ports for clients, too. */
  async function start(): Promise<void> {
    for (let attempts = 1; !isRunning(); attempts++) {
      try {
        await startOnce()
      } catch (error) {
        if (attempts === 10) throw error
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
  }

  async function startOnce(): Promise<void> {
    child = spawn(program as string, [...fixed, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const running = child
    await new Promise<void>((resolve, reject) => {
      running.once('exit', (code) => reject(new Error(`Redis ended with ${code}.`)))
      running.stdout?.setEncoding('utf8').on('data', (text: string) => {
        if (/ready to accept connections/i.test(text)) resolve()
      })
    })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || !isRunning()) return
    const gone = once(child, 'exit')
    child.kill(signal)
    child.kill('SIGCONT')
    await gone
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill: () => end('SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async closeConnections() {
      const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      client.destroy()
    },
    async stop() {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @returns a port that nothing listened on a moment ago */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
