/** A Redis for a bench, on a free port and without persistence. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** @returns its URL, its process id, and a function that ends it */
export async function startBenchRedis() {
  const port = await freePort()
  const args = ['--port', String(port), '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (/ready to accept connections/i.test(text)) break
  }
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, stop: () => child.kill() }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
