/** What the program runs in. */
export type Host = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Aborted when the person wants it to stop. */
  readonly signal: AbortSignal
}

/** What the shell is told: 2 not understood, 130 as for a program that Ctrl+C ended. */
export const exitCodes = { done: 0, failed: 1, mistake: 2, stopped: 130 } as const
