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

/** 2 for a command line that is not valid; 130 as after Ctrl+C. */
export const exitCodes = { done: 0, failed: 1, mistake: 2, stopped: 130 } as const

/** How a program ended. */
type Ending = {
  /** `null` when it could not be started. */
  readonly exitCode: number | null
  /** All that it printed. */
  readonly output: string
}

/**
 * Runs a program to its end, and collects its output.
 * @param options `signal` ends it
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
      // There, package managers are scripts, which need a shell. The arguments are ours.
      shell: process.platform === 'win32',
    })
    const end = (exitCode: number | null) =>
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8').trim() })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    // An abort is an error, too; a program that was started is waited for.
    child.on('error', () => child.pid === undefined && end(null))
    child.on('close', (code) => end(code ?? 1))
  })
}
