import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createTerminal, failCommand, formatThrown } from './terminal.ts'

function open({ isTTY = false } = {}) {
  const output = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 20 })
  const stdout = output()
  const stderr = output()
  let timeMs = 0
  const terminal = createTerminal({ stdout, stderr }, () => timeMs)
  const written = {
    get out() {
      return String(stdout.read() ?? '')
    },
    get error() {
      return String(stderr.read() ?? '')
    },
  }
  return { terminal, written, passTime: (ms: number) => (timeMs += ms) }
}

describe('progress', () => {
  test('stays on one line of a terminal and is replaced by printed lines', () => {
    const { terminal, written } = open({ isTTY: true })
    terminal.progress('one')
    terminal.progress('two')
    terminal.print('done')
    expect(stripVTControlCharacters(written.out)).toBe('one\rtwo\rdone\n')
  })

  test('is cut to the width of the terminal', () => {
    const { terminal, written } = open({ isTTY: true })
    terminal.progress('x'.repeat(50))
    expect(stripVTControlCharacters(written.out)).toHaveLength(19)
  })

  test("is an occasional line if the output isn't a terminal", () => {
    const { terminal, written, passTime } = open()
    terminal.progress('one')
    passTime(6000)
    terminal.progress('two')
    terminal.progress('three')
    expect(written.out).toBe('two\n')
  })
})

describe('colours', () => {
  test('highlight errors', () => {
    const { terminal, written } = open({ isTTY: true })
    terminal.fail('No.', 'Try again.')
    expect(written.error).toBe('\x1b[31mNo.\x1b[39m\nTry again.\n')
  })

  test('of a bundler are removed if the output shows no colours', () => {
    const { terminal, written } = open()
    const error = Object.assign(new Error('outer'), { errors: [new Error('\x1b[31mbad\x1b[0m')] })
    terminal.failWith(error)
    expect(written.error).toBe('bad\n')
  })
})

test('the process continues when its output is closed', async () => {
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

describe('a thrown value', () => {
  const plain = (text: string) => text

  test('with a position is printed with it and without a stack', () => {
    const error = Object.assign(new Error('Unexpected token'), {
      id: '/app/page.tsx',
      loc: { file: '/app/page.tsx', line: 3, column: 7 },
      frame: '3 | return <',
    })
    expect(formatThrown(error, plain)).toBe('Unexpected token\n  /app/page.tsx:3:7\n3 | return <')
  })

  test('that mentions its file in the message is printed without a position', () => {
    const error = Object.assign(new Error('╭─[ app/page.tsx:3:7 ]'), {
      loc: { line: 3, column: 6 },
    })
    expect(formatThrown(error, plain)).toBe('╭─[ app/page.tsx:3:7 ]')
  })

  test('that contains several errors is printed as these errors, without stacks', () => {
    const errors = [new Error('one'), Object.assign(new Error('two'), { id: '/b.ts' })]
    const error = Object.assign(new Error('Build failed with 2 errors'), { errors })
    expect(formatThrown(error, plain)).toBe('one\n\ntwo\n  /b.ts')
  })

  test('without a position is printed with its stack', () => {
    expect(formatThrown(new Error('oh'), plain)).toMatch(/^Error: oh\n {4}at /)
    expect(formatThrown('a string', plain)).toBe('a string')
  })
})

test("a mistake thrown in the app's bundle, which has its own error class, is printed without a stack", () => {
  const { terminal, written } = open()
  const mistake = Object.assign(new Error('Set A. (B)'), { name: 'FrameworkError' })
  expect(failCommand(terminal, mistake)).toBe(1)
  expect(written.error).toBe('Set A. (B)\n')
})
