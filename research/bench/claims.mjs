/**
 * Measures the cost of a lease that only one process may hold, and of storing its result. It compares
 * the driver with bare file operations that could replace it.
 * Run `npm run build -w waymark` first, then `node research/bench/claims.mjs`.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFilesDriver } from '../packages/waymark/dist/cache/files/fileCacheDriver.js'
import { appendResults, median, printTable } from './lib/report.mjs'

const calls = Number(process.env.BENCH_CALLS ?? 4_000)
const atOnce = 16
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const keepMs = 600_000
const owner = Buffer.alloc(40, 'o')
const answer = Buffer.alloc(400, 'a')

// In a folder next to this file, on the same disk as apps, because /tmp may be in memory.
const folder = mkdtempSync(fileURLToPath(new URL('./.claims-', import.meta.url)))
try {
  const rows = await measureClaims()
  printTable(
    [
      ['what', 'what'],
      ['CPU µs/call', 'cpuMicroseconds'],
    ],
    rows,
  )
  appendResults('claims', rows)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureClaims() {
  const driver = await createFilesDriver({ folder: path.join(folder, 'claims') })
  const files = path.join(folder, 'files')
  mkdirSync(files)
  const subjects = {
    'a file each, promises': (name) => fileEach(path.join(files, name)),
    'a file each, synchronous': (name) => fileEachSync(path.join(files, name)),
    'the driver': async (name) => complete(await driver.lease(name, keepMs)),
  }
  const measured = Object.keys(subjects).map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, run] of Object.values(subjects).entries()) {
      const cpu = await cpuOf((call) => run(`${at}-${round}-${call}`), calls)
      // The first round includes the compilation of the code.
      if (round > 0) measured[at].push(cpu)
    }
  }
  await driver.close()
  const cpuMicroseconds = (at) => Math.round(median(measured[at]))
  return Object.keys(subjects).map((what, at) => ({ what, cpuMicroseconds: cpuMicroseconds(at) }))
}

/** @returns the CPU time of a call, in microseconds */
async function cpuOf(run, count) {
  let next = 0
  const cpuBefore = process.cpuUsage()
  const runOnAndOn = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, runOnAndOn))
  const { user, system } = process.cpuUsage(cpuBefore)
  return (user + system) / count
}

async function complete(lease) {
  if (lease.kind !== 'ours') throw new Error(`It is ${lease.kind}.`)
  await lease.complete(answer)
}

/** Removed at once, because each file must be removed at some time. */
async function fileEach(file) {
  const handle = await open(file, 'wx')
  await handle.write(owner)
  await handle.write(answer)
  await handle.close()
  await unlink(file)
}

async function fileEachSync(file) {
  const handle = openSync(file, 'wx')
  writeSync(handle, owner)
  await null
  writeSync(handle, answer)
  closeSync(handle)
  unlinkSync(file)
}
