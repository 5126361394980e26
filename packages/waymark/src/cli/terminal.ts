import { stripVTControlCharacters, styleText } from 'node:util'

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Prints for a command, in colours where the output shows them. */
export type Terminal = ReturnType<typeof createTerminal>

/** Colours text where the output shows colours. */
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
    /** Writes a thrown value with its stack to standard error. */
    failWith(thrown: unknown) {
      clear()
      const text = formatThrown(thrown, red)
      // A bundler's text has colours of its own.
      stderr.write(`${red('-') === '-' ? stripVTControlCharacters(text) : text}\n`)
    },
    /** Updates one line on a terminal; elsewhere prints a line now and then. */
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

/** Pads the cells of all columns but the last one, so that the columns of a table are aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths?.[at] ?? 0) : cell)),
  )
}

/** Prints an app author's mistake as a message, a bug with its stack. @returns the exit code */
export function failCommand(terminal: Terminal, thrown: unknown): number {
  // The bundle of an app has a class of its own.
  const isMistake = thrown instanceof Error && thrown.name === 'FrameworkError'
  if (!isMistake) terminal.failWith(thrown)
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

/**
 * What happened and where; without a place, the stack.
 * @param stress marks the message
 * @param isPart one of several errors: the stack of each is the bundler's own
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
