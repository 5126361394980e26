import { createSupervisor } from '../node/supervisor.ts'
import { forkWorker } from '../node/workers.ts'
import type { CommandInput } from './command.ts'

/** What a worker may take to end beside its draining: the journal is written, sockets are closed. */
const marginMs = 5_000

/**
 * Serves the built app with several processes that share its port.
 * @returns the exit code, when they could not be started; else it stays
 */
export async function startWorkers(
  count: number,
  version: string,
  { options, terminal }: CommandInput,
): Promise<number> {
  const { 'drain-delay': delayMs = 0, 'drain-timeout': timeoutMs = 10_000 } = options
  const supervisor = createSupervisor({
    count,
    fork: forkWorker,
    log: (line) => terminal.fail(line),
    closeWithinMs: delayMs + timeoutMs + marginMs,
  })
  let isClosing = false
  const end = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => {
    if (isClosing) {
      supervisor.kill()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    isClosing = true
    await supervisor.close({ isHurried: signal === 'SIGINT' })
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // From a terminal it says that the terminal is gone; from a service, that all is to be read anew.
  process.on('SIGHUP', () => void (process.stdout.isTTY ? end('SIGHUP') : supervisor.restart()))
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
