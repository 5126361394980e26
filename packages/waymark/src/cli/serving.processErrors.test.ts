import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { reportProcessErrors } from './serving.ts'
import type { Terminal } from './terminal.ts'

function heard(options: {
  readonly report?: (thrown: unknown) => string
  readonly onException?: () => Promise<void>
}) {
  const lines: string[] = []
  const exits: number[] = []
  const emitter = new EventEmitter()
  const terminal = {
    fail: (line: string) => lines.push(line),
    failWith: (thrown: unknown) => lines.push(String(thrown)),
  } as unknown as Terminal
  const counts = reportProcessErrors(terminal, {
    report: () => options.report ?? null,
    onException: options.onException,
    source: {
      on: (event, listen) => void emitter.on(event, listen),
      exit: (code) => void exits.push(code),
    },
  })
  return { lines, exits, emitter, counts }
}

describe('an exception that nothing catches', () => {
  test('is reported and counted, and the process continues', () => {
    const reported: unknown[] = []
    const report = (thrown: unknown) => String(reported.push(thrown))
    const { emitter, exits, lines, counts } = heard({ report })
    emitter.emit('uncaughtException', 'a')
    emitter.emit('unhandledRejection', 'b')
    emitter.emit('uncaughtException', 'c')
    expect(reported).toEqual(['a', 'b', 'c'])
    expect(counts.uncaughtExceptions()).toBe(2)
    expect(exits).toEqual([])
    expect(lines[0]).toBe('Uncaught exception:')
  })

  test('ends the process once, if the option is set', async () => {
    let ends = 0
    const onException = async () => {
      ends++
      throw new Error('could not be closed')
    }
    const { emitter, exits, lines } = heard({ onException })
    emitter.emit('uncaughtException', 'a')
    emitter.emit('uncaughtException', 'b')
    await expect.poll(() => exits).toEqual([1])
    expect(ends).toBe(1)
    expect(lines[0]).toMatch(/^The server exits with 1\. /)
    expect(lines).toContain('b')
  })

  test("doesn't end the process again when reporting it fails", () => {
    const report = () => {
      throw new Error('no journal')
    }
    const { emitter, counts } = heard({ report })
    expect(() => emitter.emit('uncaughtException', 'a')).not.toThrow()
    expect(counts.uncaughtExceptions()).toBe(1)
  })
})
