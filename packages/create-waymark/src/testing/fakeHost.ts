import { PassThrough } from 'node:stream'
import type { Host } from '../host.ts'

/** A host for tests. A test can read its output and type input. */
export type FakeHost = Host & {
  /** Everything written to standard output. */
  printed(): string
  /** Everything written to standard error. */
  failed(): string
  /** Types an answer when the next question with this text is printed. */
  answer(question: string, typed: string): void
  stop(): void
}

/**
 * Creates a host for tests.
 * @param options `terminal` makes the streams look like a terminal; `env` is added to `PATH`
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
    // Type in a later task, because readline only starts to listen after it has written the
    // question.
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
