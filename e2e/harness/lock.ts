import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does work that only one process may do at a time; others wait for their turn.
 * @param file stands for the work; it exists while someone is at it
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!tryLock(file)) await sleep(50)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    // One who died without releasing it holds it no more; the next try gets it.
    if (!isHeld(file)) rmSync(file, { force: true })
    return false
  }
}

/** True if the process that wrote a file still runs. */
export function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // Made, but not yet written to: held.
    return pid === 0 || process.kill(pid, 0)
  } catch {
    // Released meanwhile, or its process is gone.
    return false
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
