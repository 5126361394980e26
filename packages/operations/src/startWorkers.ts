import { closeOnSignals } from 'waymark/node'
import type { Operations } from 'waymark/plugin/node'
import { createSupervisor, forkWorker } from './workers.ts'

/** Time for a worker to write its journal and close its sockets after draining. */
const marginMs = 5_000

export const startWorkers: Operations['startWorkers'] = async (
  count,
  version,
  { options, terminal },
) => {
  const { 'drain-delay': delayMs = 0, 'drain-timeout': timeoutMs = 10_000 } = options
  const supervisor = createSupervisor({
    count,
    fork: forkWorker,
    log: (line) => terminal.fail(line),
    closeWithinMs: delayMs + timeoutMs + marginMs,
  })
  const exit = (code: number) => {
    supervisor.kill()
    process.exit(code)
  }
  const source = { on: process.on.bind(process), exit }
  const ending = closeOnSignals(supervisor, { source })
  // Handle SIGHUP, which is sent when a terminal closes or a service restarts.
  process.on(
    'SIGHUP',
    () => void (process.stdout.isTTY ? ending.close(false) : supervisor.restart()),
  )
  try {
    const url = await supervisor.started
    const { cyan } = terminal.paint
    terminal.print(`Waymark ${version} serves ${cyan(url)} with ${count} workers`)
  } catch (error) {
    supervisor.kill()
    terminal.fail((error as Error).message)
    return 1
  }
  return new Promise<never>(() => {})
}
