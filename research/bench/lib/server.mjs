/** Starts servers for measurements, pinned to one core, and stops them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// The load comes from the other core.
const serverCores = '0'

const heapProbe = new URL('./heapProbe.mjs', import.meta.url).href

/**
 * Starts `node file ...args port` and waits for its first answer.
 * @param args a function of the port
 * @param cores that it may use, as `taskset` takes them
 * @param path of the first request
 * @param probe whether `heapBytes` or `cpuMicroseconds` is wanted
 * @returns `url`, `pid`, `readyMs` from the spawn to the first answer, `stop`, `heapBytes`, which
 * collects garbage in the server and tells what is left, `cpuMicroseconds`, which the server has
 * used since its start, and `errors` that it has printed
 */
export async function startServer({
  args,
  cwd,
  env = {},
  cores = serverCores,
  path = '/',
  probe = false,
  timeoutMs = 20_000,
}) {
  const port = await freePort()
  const startedAt = performance.now()
  const nodeArgs = [...(probe ? ['--import', heapProbe] : []), ...args(port)]
  const child = spawn('taskset', ['-c', cores, process.execPath, ...nodeArgs], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe', ...(probe ? ['ipc'] : [])],
  })
  const errors = keepErrors(child.stderr)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url + path))) {
    if (child.exitCode !== null) {
      throw new Error(`${args(port).join(' ')} ended with ${child.exitCode}:\n${errors.text}`)
    }
    if (performance.now() - startedAt > timeoutMs) throw new Error(`${url} does not answer`)
    await sleep(2)
  }
  const readyMs = performance.now() - startedAt
  const stop = async () => {
    process.removeListener('exit', endWithUs)
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(5000, null, { ref: false }).then(endWithUs)])
  }
  const ask = async (question) => {
    child.send(question)
    const [message] = await once(child, 'message')
    return message
  }
  const heapBytes = async () => (await ask('heap')).heapBytes
  const cpuMicroseconds = async () => (await ask('cpu')).cpuMicroseconds
  // `taskset` replaces itself with node, so its pid is the server's.
  return { url, pid: child.pid, readyMs, stop, heapBytes, cpuMicroseconds, errors }
}

// Keeps the first errors and counts the rest, because a server under load may print many.
function keepErrors(stream) {
  const errors = { lines: 0, text: '' }
  stream.setEncoding('utf8').on('data', (chunk) => {
    errors.lines += chunk.split('\n').length - 1
    if (errors.text.length < 4000) errors.text += chunk
  })
  return errors
}

/** Finds a free port. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

async function answers(url) {
  try {
    const response = await fetch(url, { headers: { connection: 'close' } })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}
