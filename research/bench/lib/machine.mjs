import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const busyFile = fileURLToPath(new URL('busy.mjs', import.meta.url))
const run = promisify(execFile)

/**
 * What two processes get done at the same time over what one does alone: 2 where there are two
 * whole cores, less where the cores of a virtual machine are threads, or are lent to others.
 */
export async function twoOverOne(ms) {
  const alone = await work(ms)
  const [one, two] = await Promise.all([work(ms), work(ms)])
  return (one + two) / alone
}

async function work(ms) {
  const { stdout } = await run(process.execPath, [busyFile, String(ms)])
  return Number(stdout)
}
