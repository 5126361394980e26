import type { Terminal } from './terminal.ts'

/**
 * Logs rejected promises that nobody awaits, where Node would end the process: one page's slip
 * must not take the others down.
 */
export function logRejections(terminal: Terminal): void {
  process.on('unhandledRejection', (reason) => {
    terminal.fail('A promise was rejected, and nothing awaited it:')
    terminal.failWith(reason)
  })
}
