import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const busyFile = fileURLToPath(new URL('busy.mjs', import.meta.url))
const run = promisify(execFile)

/**
 * Measures the work of two concurrent processes relative to one process. The result is 2 on two full
 * cores. It is less if the cores of a virtual machine are threads, or are shared with others.
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
