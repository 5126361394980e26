import { stripVTControlCharacters } from 'node:util'
import { FrameworkError } from '../shared/errors.ts'

/** The parts of `process` that a terminal is made of. */
export type TerminalStreams = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

/** Writes messages for people. */
export type Terminal = {
  /** Writes a line. */
  print(line?: string): void
  /** Writes a line to standard error: what went wrong, and what to do. */
  fail(message: string, hint?: string): void
  /** Writes a thrown value, with its stack, to standard error. */
  failWith(thrown: unknown): void
  /**
   * Shows the progress of a long task: in place on a terminal, else as a line now and then.
   * @param line `null` removes it
   */
  progress(line: string | null): void
  readonly paint: Paint
  readonly columns: number
}

/** Colours a text, or returns it as it is where colours are off. */
export type Paint = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>
>

// A log file needs no more than this.
const quietProgressMs = 5_000

/** Creates the terminal of this process, which keeps running when its output is closed. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return createTerminal(process)
}

/** @param now milliseconds, of any clock */
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

/** Tells whether to write colours. @see https://no-color.org */
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

/**
 * Prints why a command failed: the message of a mistake of the app's author, the stack of a bug.
 * @returns the exit code
 */
export function failCommand(terminal: Terminal, thrown: unknown): number {
  if (!(thrown instanceof FrameworkError)) terminal.failWith(thrown)
  else terminal.fail(thrown.message, thrown.cause instanceof Error ? thrown.cause.stack : undefined)
  return 1
}

// Errors of bundlers have a place and the lines around it, and may hold several errors.
type BundlerError = Error & {
  readonly errors?: readonly unknown[]
  readonly frame?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

/**
 * Describes a thrown value: what happened and where; with the stack if there is no better place.
 * @param stress marks the message
 */
export function describeThrown(thrown: unknown, stress: (text: string) => string): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { message, stack, errors, frame, id, loc } = thrown as BundlerError
  if (errors && errors.length > 0) {
    return errors.map((each) => describeBundlerError(each, stress)).join('\n\n')
  }
  const place = loc ? `${loc.file ?? id}:${loc.line}:${loc.column}` : id
  if (place === undefined && !frame) return stack ?? stress(message)
  const lines = [stress(message)]
  if (place !== undefined && !message.includes(place)) lines.push(`  ${place}`)
  if (frame && !message.includes(frame)) lines.push(frame)
  return lines.join('\n')
}

// Its message shows the place; its stack is the bundler's own.
function describeBundlerError(thrown: unknown, stress: (text: string) => string): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { message, id } = thrown as BundlerError
  return id && !message.includes(id) ? `${stress(message)}\n  ${id}` : stress(message)
}
