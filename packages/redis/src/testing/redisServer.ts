import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from 'redis'
import { describe } from 'vitest'
import { findRedisServer, redis } from '../../../../scripts/workspace/systemTools.mjs'

/** A Redis server that was started for one test. */
export type RedisServer = {
  readonly url: string
  /** Kills the server, as a crash would. */
  kill(): Promise<void>
  /**
   * Starts the server again on the same port, without data. A cluster's server still knows the other
   * servers.
   */
  start(): Promise<void>
  /** Freezes the server, so that it accepts connections but never responds. */
  pause(): void
  resume(): void
  /** Closes all clients' connections, as servers and proxies do with idle connections. */
  closeConnections(): Promise<void>
  stop(): Promise<void>
}

/**
 * Defines a suite that needs Redis or Valkey. If neither is installed, it fails and says how to install
 * one.
 */
export function describeWithRedis(name: string, define: () => void): void {
  if (redis.find() === null) throw new Error(redis.hint())
  describe(name, define)
}

/** Starts Redis on a free port. @param args further arguments, such as `--cluster-enabled yes` */
export async function startRedis(args: readonly string[] = []): Promise<RedisServer> {
  const program = findRedisServer()
  if (!program) throw new Error(redis.hint())
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-redis-'))
  const fixed = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder]
  let child: ChildProcess | null = null

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null

  /**
   * Starts the server. Retries if the port is taken, because the system may have given it to a client in
   * another test.
   */
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
      running.once('exit', (code) => reject(new Error(`Redis exited with code ${code}.`)))
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

/** @returns a port on which nothing was listening a moment ago */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
