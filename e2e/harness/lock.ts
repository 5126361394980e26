import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs work that only one process may do at a time. Other processes wait.
 * @param file path of the lock file, which exists while a process does the work
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
    // If the process that created the lock has ended, the next attempt may take the lock.
    if (!isHeld(file)) rmSync(file, { force: true })
    return false
  }
}

/** True if the process whose id is in the file is still running. */
export function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // The lock is also held if the file is empty, because its process has just created it.
    return pid === 0 || process.kill(pid, 0)
  } catch {
    // The lock has been released since the check, or its process has ended.
    return false
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
