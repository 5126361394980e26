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
