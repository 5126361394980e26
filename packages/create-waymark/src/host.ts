import { spawn } from 'node:child_process'

/** The environment in which the program runs. */
export type Host = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal
}

/** The program's exit codes. Shells use 130 for a program that was stopped with Ctrl+C. */
export const exitCodes = { done: 0, failed: 1, mistake: 2, stopped: 130 } as const

/** Exit code and output of a program that has ended. */
type Ending = {
  /** `null` if the program could not be started. */
  readonly exitCode: number | null
  /** The program's output, from both standard output and standard error. */
  readonly output: string
}

/**
 * Runs a program, waits until it ends, and collects its output.
 * @param options `signal` stops the program when it is aborted
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Ending> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Use a shell on Windows, where package managers are scripts. The shell is safe, because no
      // argument comes from the user.
      shell: process.platform === 'win32',
    })
    const end = (exitCode: number | null) =>
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8').trim() })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    // Ignore errors once the program has started, because aborting it also emits an error. Wait for
    // `close` instead.
    child.on('error', () => child.pid === undefined && end(null))
    child.on('close', (code) => end(code ?? 1))
  })
}
