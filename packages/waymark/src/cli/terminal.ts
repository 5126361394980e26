import { stripVTControlCharacters, styleText } from 'node:util'
import { FrameworkError } from '../shared/errors.ts'

export type TerminalStreams = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

export type Terminal = ReturnType<typeof createTerminal>

/** Returns the text unchanged when colours are off. */
export type Paint = ReturnType<typeof createPaint>

// Keeps log files short.
const quietProgressMs = 5_000

/** A closed output does not end the process. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return createTerminal(process)
}

/** @param now milliseconds of any clock */
export function createTerminal(
  { stdout, stderr, env }: TerminalStreams,
  now: () => number = () => performance.now(),
) {
  const paint = createPaint(hasColours(stdout, env))
  const isColouredError = hasColours(stderr, env)
  const paintError = createPaint(isColouredError)
  let isShown = false
  let printedAtMs = now()

  const clear = () => {
    if (isShown) stdout.write('\r\x1b[K')
    isShown = false
  }

  function print(line = ''): void {
    clear()
    stdout.write(`${line}\n`)
    printedAtMs = now()
  }

  return {
    paint,
    columns: stdout.columns ?? 100,
    print,
    printJson: (value: unknown) => print(JSON.stringify(value, null, 2)),
    /** Writes an error and its remedy to standard error. */
    fail(message: string, hint?: string) {
      clear()
      stderr.write(`${paintError.red(message)}\n${hint === undefined ? '' : `${hint}\n`}`)
    },
    /** Writes a thrown value with its stack to standard error. */
    failWith(thrown: unknown) {
      clear()
      const text = formatThrown(thrown, paintError.red)
      stderr.write(`${isColouredError ? text : stripVTControlCharacters(text)}\n`)
    },
    /** Updates one line on a terminal; elsewhere prints a line now and then. */
    progress(line: string) {
      if (!stdout.isTTY) {
        if (now() - printedAtMs >= quietProgressMs) print(line)
        return
      }
      clear()
      stdout.write(paint.dim(line.slice(0, (stdout.columns ?? 80) - 1)))
      isShown = true
    },
  }
}

/** @see https://no-color.org */
export function hasColours(output: Output, env: TerminalStreams['env']): boolean {
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return Boolean(output.isTTY) || Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0')
}

function createPaint(isColoured: boolean) {
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'cyan') => (text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    cyan: paint('cyan'),
  }
}

/** All but the last column. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths?.[at] ?? 0) : cell)),
  )
}

/** Prints an app author's mistake as a message, a bug with its stack. @returns the exit code */
export function failCommand(terminal: Terminal, thrown: unknown): number {
  if (!(thrown instanceof FrameworkError)) terminal.failWith(thrown)
  else terminal.fail(thrown.message, thrown.cause instanceof Error ? thrown.cause.stack : undefined)
  return 1
}

// A bundler's error has a place, the lines around it, and perhaps several errors.
type BundlerError = Error & {
  readonly errors?: readonly unknown[]
  readonly frame?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

/** What happened and where; without a place, the stack. @param stress marks the message */
export function formatThrown(thrown: unknown, stress: (text: string) => string): string {
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

// The message contains the place; the stack is the bundler's own.
function describeBundlerError(thrown: unknown, stress: (text: string) => string): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { message, id } = thrown as BundlerError
  return id && !message.includes(id) ? `${stress(message)}\n  ${id}` : stress(message)
}
