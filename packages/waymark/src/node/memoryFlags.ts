/** Returns the flags with which this process limits its memory, for a process that it starts. */
export function memoryFlags(execArgv: readonly string[] = process.execArgv): string[] {
  return execArgv.filter((flag) => /^--max-(old|semi)-space-size=/.test(flag))
}
