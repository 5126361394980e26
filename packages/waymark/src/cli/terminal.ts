import { stripVTControlCharacters, styleText } from 'node:util'

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Prints a command's output, in colours if the terminal supports them. */
export type Terminal = ReturnType<typeof createTerminal>

/** Colours text if the output supports colours. */
export type Paint = ReturnType<typeof createPaint>

// Milliseconds between lines of progress if the output isn't a terminal, so that logs stay short.
const quietProgressMs = 5_000

/** Creates this process's terminal. A closed output doesn't end the process. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return createTerminal(process)
}

/** @param now returns milliseconds of any clock */
export function createTerminal(
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
  now: () => number = () => performance.now(),
) {
  const paint = createPaint(stdout)
  const { red } = createPaint(stderr)
  let isVisible = false
  let printedAtMs = now()

  const clear = () => {
    if (isVisible) stdout.write('\r\x1b[K')
    isVisible = false
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
      stderr.write(`${red(message)}\n${hint === undefined ? '' : `${hint}\n`}`)
    },
    /** Writes a thrown value and its stack to standard error. */
    failWith(thrown: unknown) {
      clear()
      const text = formatThrown(thrown, red)
      // A bundler's message contains colour codes. Remove them if the output doesn't support
      // colours.
      stderr.write(`${red('-') === '-' ? stripVTControlCharacters(text) : text}\n`)
    },
    /** Shows progress: in a single line on a terminal, otherwise as a line from time to time. */
    progress(line: string) {
      if (!stdout.isTTY) {
        if (now() - printedAtMs >= quietProgressMs) print(line)
        return
      }
      clear()
      stdout.write(paint.dim(line.slice(0, (stdout.columns ?? 80) - 1)))
      isVisible = true
    },
  }
}

function createPaint(stream: Output) {
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'cyan') => (text: string) =>
    styleText(format, text, { stream })
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    cyan: paint('cyan'),
  }
}

/** Pads all cells except the last in each row, so that columns are aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths?.[at] ?? 0) : cell)),
  )
}

/**
 * Prints a mistake of the app's author as a message, but a bug with its stack.
 * @returns the exit code
 */
export function failCommand(terminal: Terminal, thrown: unknown): number {
  // The app's bundle has its own copy of the class, so compare the name.
  const isMistake = thrown instanceof Error && thrown.name === 'FrameworkError'
  if (!isMistake) terminal.failWith(thrown)
  else terminal.fail(thrown.message, thrown.cause instanceof Error ? thrown.cause.stack : undefined)
  return 1
}

// An error from a bundler, which contains a position, the surrounding lines, and sometimes several errors.
type BundlerError = Error & {
  readonly errors?: readonly unknown[]
  readonly frame?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

/**
 * Describes an error with its position, or else with its stack.
 * @param stress highlights the message
 * @param isPart true for one of several errors, whose stacks only contain the bundler's own frames
 */
export function formatThrown(
  thrown: unknown,
  stress: (text: string) => string,
  isPart = false,
): string {
  if (!(thrown instanceof Error)) return stress(String(thrown))
  const { errors = [], message, stack, frame, id, loc } = thrown as BundlerError
  if (errors.length > 0) return errors.map((each) => formatThrown(each, stress, true)).join('\n\n')
  if (!isPart && !loc && !id && !frame && stack) return stack
  const file = loc?.file ?? id
  const place = file && loc ? `${file}:${loc.line}:${loc.column}` : file
  const isNew = (text?: string) => text && !message.includes(text.trim())
  return [stress(message), ...[place && `  ${place}`, frame].filter(isNew)].join('\n')
}
