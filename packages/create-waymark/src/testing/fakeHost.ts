import { PassThrough } from 'node:stream'
import type { Host } from '../host.ts'

/** A host whose output can be read, and into which a test can type. */
export type FakeHost = Host & {
  /** What was printed to standard output. */
  printed(): string
  /** What was printed to standard error. */
  failed(): string
  /** Types at the next question that holds a text. */
  answer(question: string, typed: string): void
  stop(): void
}

/**
 * Makes a host.
 * @param options `terminal` makes its streams those of a terminal; `env` is added to what Node needs
 */
export function createFakeHost(options: {
  cwd: string
  terminal?: boolean
  env?: NodeJS.ProcessEnv
}): FakeHost {
  const { cwd, terminal = false, env = {} } = options
  const streamOf = () => Object.assign(new PassThrough(), { isTTY: terminal })
  const stdin = streamOf()
  const stdout = streamOf()
  const stderr = streamOf()
  const controller = new AbortController()
  const answers: { question: string; typed: string }[] = []
  let output = ''
  let errors = ''
  let readTo = 0
  stdout.on('data', (chunk) => {
    output += chunk
    const [next] = answers
    const at = next ? output.indexOf(next.question, readTo) : -1
    if (!next || at === -1) return
    readTo = at + next.question.length
    answers.shift()
    // Not within the write of the question: readline listens after it.
    setImmediate(() => stdin.write(next.typed))
  })
  stderr.on('data', (chunk) => {
    errors += chunk
  })
  return {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdin,
    stdout,
    stderr,
    signal: controller.signal,
    printed: () => output,
    failed: () => errors,
    answer: (question, typed) => answers.push({ question, typed }),
    stop: () => controller.abort(),
  }
}
