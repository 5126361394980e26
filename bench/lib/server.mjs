/** Starts servers to be measured, pinned to one core, and ends them. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The core that servers run on; the load comes from the other one. */
export const serverCore = '0'

/**
 * Starts `node file ...args port` and waits for its first answer.
 * @param args a function of the port
 * @returns `url`, `pid`, `readyMs` from the spawn to the first answer, and `stop`
 */
export async function startServer({ args, cwd, env = {}, core = serverCore, timeoutMs = 20_000 }) {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn('taskset', ['-c', core, process.execPath, ...args(port)], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${args(port).join(' ')} ended: ${child.exitCode}`)
    if (performance.now() - startedAt > timeoutMs) throw new Error(`${url} does not answer`)
    await sleep(2)
  }
  const readyMs = performance.now() - startedAt
  const stop = async () => {
    process.removeListener('exit', endWithUs)
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(5000, null, { ref: false }).then(endWithUs)])
  }
  // `taskset` replaces itself by node, so its pid is the server's.
  return { url, pid: child.pid, readyMs, stop }
}

function freePort() {
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
