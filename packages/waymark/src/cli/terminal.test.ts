import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createTerminal, hasColours } from './terminal.ts'

function open(options: { isTTY?: boolean; env?: Record<string, string> } = {}) {
  const { isTTY = false, env = {} } = options
  const written = { out: '', error: '' }
  let timeMs = 0
  const stdout = { isTTY, columns: 20, write: (text: string) => (written.out += text) }
  const stderr = { isTTY, write: (text: string) => (written.error += text) }
  const terminal = createTerminal({ stdout, stderr, env }, () => timeMs)
  return { terminal, written, passTime: (ms: number) => (timeMs += ms) }
}

describe('progress', () => {
  test('stands in place on a terminal, and gives way to lines', () => {
    const { terminal, written } = open({ isTTY: true, env: { NO_COLOR: '1' } })
    terminal.progress('one')
    terminal.progress('two')
    terminal.print('done')
    expect(written.out).toBe('one\r\x1b[Ktwo\r\x1b[Kdone\n')
  })

  test('is cut to the width of the terminal', () => {
    const { terminal, written } = open({ isTTY: true, env: { NO_COLOR: '1' } })
    terminal.progress('x'.repeat(50))
    expect(written.out).toHaveLength(19)
  })

  test('is a line now and then where nobody watches', () => {
    const { terminal, written, passTime } = open()
    terminal.progress('one')
    passTime(6000)
    terminal.progress('two')
    terminal.progress('three')
    expect(written.out).toBe('two\n')
  })
})

describe('colours', () => {
  test.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{ isTTY: false }, {}, false],
    [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
    [{ isTTY: false }, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('on %o with %o: %s', (output, env, expected) => {
    expect(hasColours({ write() {}, ...output }, env)).toBe(expected)
  })

  test('mark what failed', () => {
    const { terminal, written } = open({ isTTY: true })
    terminal.fail('No.', 'Try again.')
    expect(written.error).toBe('\x1b[31mNo.\x1b[39m\nTry again.\n')
  })

  test('of a bundler are taken out where there are none', () => {
    const { terminal, written } = open()
    const error = Object.assign(new Error('outer'), { errors: [new Error('\x1b[31mbad\x1b[0m')] })
    terminal.failWith(error)
    expect(written.error).toBe('bad\n')
  })
})

test('a process goes on when whoever read its output is gone', async () => {
  const built = new URL('../../dist/cli/terminal.js', import.meta.url).href
  const script = `import { processTerminal } from '${built}'
    const { fail } = processTerminal()
    setInterval(() => fail('nobody reads this'), 5)
    setTimeout(() => process.exit(7), 300)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  child.stdout.destroy()
  child.stderr.destroy()
  expect(await once(child, 'exit')).toEqual([7, null])
})
