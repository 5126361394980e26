import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that runs as a process of its own. */
export type ServerProcess = {
  readonly pid: number
  /** All that it printed so far. */
  logs(): string
  /** How it ended, or null while it runs. */
  exitCode(): number | null
  /**
   * Asks it to end, by SIGTERM, and waits.
   * @throws when it had ended before, does not end within 15 s, or ends with another code than 0
   */
  stop(): Promise<void>
  /** Ends it at once, by SIGKILL, and waits. */
  kill(): Promise<void>
}

const running = new Set<ChildProcess>()

/** Ends what still runs; for the end of a test file, when a test failed to. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.on('exit', killServers)

/**
 * Starts a program and waits until it prints that it listens.
 * @param options `program`, in place of Node; `listening` is the text it prints then; `startWithinMs` how long that may take
 * @throws with its output when it ends, or does not listen in time
 */
export async function startServer(options: {
  program?: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  listening: string
  startWithinMs: number
}): Promise<ServerProcess> {
  const child = spawn(options.program ?? process.execPath, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      running.delete(child)
      resolve()
    })
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const server = serverOf(child, ended, () => output)
  const deadlineMs = Date.now() + options.startWithinMs
  while (!output.includes(options.listening)) {
    if (server.exitCode() !== null) throw new Error(`The server ended:\n${output}`)
    if (Date.now() > deadlineMs) {
      await server.kill()
      throw new Error(`The server did not listen in ${options.startWithinMs} ms:\n${output}`)
    }
    await sleep(20)
  }
  return server
}

function serverOf(child: ChildProcess, ended: Promise<void>, logs: () => string): ServerProcess {
  const exitCode = () => child.exitCode ?? (child.signalCode === null ? null : 1)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    pid: child.pid ?? 0,
    logs,
    exitCode,
    kill,
    async stop() {
      if (exitCode() !== null) throw new Error(`The server had ended before:\n${logs()}`)
      child.kill('SIGTERM')
      const timedOut = await Promise.race([
        ended.then(() => false),
        sleep(15_000, true, { ref: false }),
      ])
      if (timedOut) await kill()
      if (timedOut) throw new Error(`The server did not end in 15 s after SIGTERM:\n${logs()}`)
      if (child.exitCode === 0) return
      const how = child.signalCode ?? `code ${child.exitCode}`
      throw new Error(`The server ended with ${how} after SIGTERM:\n${logs()}`)
    },
  }
}
