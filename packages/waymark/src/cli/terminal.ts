import { stripVTControlCharacters } from 'node:util'
import { describeThrown } from './thrown.ts'

/** The parts of `process` that a terminal is made of. */
export type TerminalStreams = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

/** Writes what a person reads. */
export type Terminal = {
  /** Writes a line. */
  print(line?: string): void
  /** Writes a line to standard error: what went wrong, and what to do. */
  fail(message: string, hint?: string): void
  /** Writes a thrown value, with its stack, to standard error. */
  failWith(thrown: unknown): void
  /**
   * Shows how far a long work is: in place on a terminal, else as a line now and then.
   * @param line `null` removes it
   */
  progress(line: string | null): void
  readonly paint: Paint
  readonly columns: number
}

/** Colours; without colours they give the text back. */
export type Paint = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>
>

// A log file that nobody watches needs no more than this.
const quietProgressMs = 5_000

/** Makes the terminal of this process, which goes on when whoever read its output is gone. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return createTerminal(process)
}

/**
 * Makes the terminal of a process.
 * @param now milliseconds, of any clock
 */
export function createTerminal(
  { stdout, stderr, env }: TerminalStreams,
  now: () => number = () => performance.now(),
): Terminal {
  const paint = createPaint(hasColours(stdout, env))
  const isColouredError = hasColours(stderr, env)
  const paintError = createPaint(isColouredError)
  let isShown = false
  let printedAtMs = now()

  const clear = () => {
    if (isShown) stdout.write('\r\x1b[K')
    isShown = false
  }

  return {
    paint,
    columns: stdout.columns ?? 100,
    print(line = '') {
      clear()
      stdout.write(`${line}\n`)
      printedAtMs = now()
    },
    fail(message, hint) {
      clear()
      stderr.write(`${paintError.red(message)}\n${hint === undefined ? '' : `${hint}\n`}`)
    },
    failWith(thrown) {
      clear()
      const text = describeThrown(thrown, paintError.red)
      stderr.write(`${isColouredError ? text : stripVTControlCharacters(text)}\n`)
    },
    progress(line) {
      if (!stdout.isTTY) {
        if (line === null || now() - printedAtMs < quietProgressMs) return
        stdout.write(`${line}\n`)
        printedAtMs = now()
        return
      }
      clear()
      if (line === null) return
      stdout.write(paint.dim(line.slice(0, (stdout.columns ?? 80) - 1)))
      isShown = true
    },
  }
}

/** Tells whether an output is to be coloured. @see https://no-color.org */
export function hasColours(output: Output, env: TerminalStreams['env']): boolean {
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return Boolean(output.isTTY) || Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0')
}

function createPaint(isColoured: boolean): Paint {
  const code = (open: number, close: number) => (text: string) =>
    isColoured ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return {
    bold: code(1, 22),
    dim: code(2, 22),
    red: code(31, 39),
    green: code(32, 39),
    yellow: code(33, 39),
    cyan: code(36, 39),
  }
}
