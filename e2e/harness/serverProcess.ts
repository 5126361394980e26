import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server in a separate process. */
export type ServerProcess = {
  readonly pid: number
  /** Returns all output so far. */
  logs(): string
  /** Returns the exit code, or null while the server is running. */
  exitCode(): number | null
  /**
   * Sends SIGTERM to the server, and waits until the server has ended.
   * @throws Error if the server had already ended, doesn't end within 15 s, or ends with an exit
   * code other than 0
   */
  stop(): Promise<void>
  /** Kills the server with SIGKILL, and waits until the server has ended. */
  kill(): Promise<void>
}

const running = new Set<ChildProcess>()

/**
 * Kills servers that are still running at the end of a test file, because a failed test didn't stop
 * them.
 */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.on('exit', killServers)

/**
 * Starts a program, and waits until its output shows that it listens.
 * @param options `program` replaces Node; `listening` is the text to wait for; `startWithinMs` is
 * the time limit
 * @throws Error with the output if the program ends, or does not listen in time
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
      throw new Error(`The server did not listen within ${options.startWithinMs} ms:\n${output}`)
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
      if (exitCode() !== null) throw new Error(`The server had already ended:\n${logs()}`)
      child.kill('SIGTERM')
      const timedOut = await Promise.race([
        ended.then(() => false),
        sleep(15_000, true, { ref: false }),
      ])
      if (timedOut) await kill()
      if (timedOut) throw new Error(`The server did not end within 15 s after SIGTERM:\n${logs()}`)
      if (child.exitCode === 0) return
      const how = child.signalCode ?? `code ${child.exitCode}`
      throw new Error(`The server ended with ${how} after SIGTERM:\n${logs()}`)
    },
  }
}
