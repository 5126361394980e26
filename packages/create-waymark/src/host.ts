import { spawn } from 'node:child_process'

/** The environment of the program. */
export type Host = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal
}

/** Exit codes. Shells use 130 after Ctrl+C. */
export const exitCodes = { done: 0, failed: 1, mistake: 2, stopped: 130 } as const

/** Result of a program that has ended. */
type Ending = {
  /** `null` if the program could not be started. */
  readonly exitCode: number | null
  /** The output of both streams. */
  readonly output: string
}

/**
 * Runs a program to its end, and collects its output.
 * @param options `signal` ends the program
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
      // On Windows, package managers are scripts, which need a shell. No argument comes from the user.
      shell: process.platform === 'win32',
    })
    const end = (exitCode: number | null) =>
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8').trim() })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    // Aborting also emits an error. If the program has started, wait until it closes.
    child.on('error', () => child.pid === undefined && end(null))
    child.on('close', (code) => end(code ?? 1))
  })
}
