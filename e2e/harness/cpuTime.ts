import { readFileSync } from 'node:fs'

/**
 * Returns the CPU time of a process and its threads in milliseconds, or 0 if the operating system
 * doesn't report it.
 */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // The fields utime and stime are in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
