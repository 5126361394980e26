/** The parts of `process` that a terminal needs. */
export type TerminalStreams = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

type Output = { write(text: string): unknown; readonly isTTY?: boolean }

/** Writes messages for the user. */
export type Terminal = {
  print(line?: string): void
  /** Writes an error, and a hint about what to do, to standard error. */
  fail(message: string, hint?: string): void
  /**
   * Shows that a long task is running. In a terminal, the line also shows the elapsed seconds.
   * @returns a function that removes the line
   */
  progress(line: string): () => void
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

export function createTerminal({ stdout, stderr, env }: TerminalStreams): Terminal {
  const paint = (output: Output, code: number, text: string) =>
    hasColours(output, env) ? `\x1b[${code}m${text}\x1b[0m` : text
  return {
    bold: (text) => paint(stdout, 1, text),
    dim: (text) => paint(stdout, 2, text),
    print: (line = '') => stdout.write(`${line}\n`),
    fail(message, hint) {
      stderr.write(`${paint(stderr, 31, message)}\n${hint === undefined ? '' : `${hint}\n`}`)
    },
    progress(line) {
      if (!stdout.isTTY) {
        stdout.write(`${line}\n`)
        return () => {}
      }
      let seconds = 0
      const show = () => stdout.write(`\r\x1b[K${line}${seconds === 0 ? '' : ` ${seconds} s`}`)
      show()
      const timer = setInterval(() => {
        seconds += 1
        show()
      }, 1000)
      return () => {
        clearInterval(timer)
        stdout.write('\r\x1b[K')
      }
    },
  }
}

/** True if the output may have colours. @see https://no-color.org */
function hasColours(output: Output, env: TerminalStreams['env']): boolean {
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return Boolean(output.isTTY) || Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0')
}
