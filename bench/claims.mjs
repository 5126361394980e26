/**
 * What it costs to claim something once over all processes and to keep what came of it: bare file
 * operations, as they could be used for it, against the log that is used; and what a process pays
 * that starts with a log that is full.
 * Run `npm run build -w waymark` first, then `node --expose-gc bench/claims.mjs`.
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
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

// Beside the bench, on the disk that apps are on: /tmp may be memory.
const folder = mkdtempSync(fileURLToPath(new URL('./.claims-', import.meta.url)))
try {
  const rows = await measureClaims()
  const start = await measureStart()
  printTable(
    [
      ['what', 'what'],
      ['CPU µs/call', 'cpuMicroseconds'],
    ],
    rows,
  )
  console.log(
    `A log of ${start.megabytes} MB with ${start.answers} answers: read in ${start.cpuMs} ms of CPU, ${start.heapMegabytes} MB of heap, longest pause ${start.pauseMs} ms`,
  )
  appendResults('claims', [...rows, { what: 'start', ...start }])
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
    'the log': async (name) => keep(await driver.claim(name, keepMs)),
  }
  const measured = Object.keys(subjects).map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, run] of Object.values(subjects).entries()) {
      const cpu = await cpuOf((call) => run(`${at}-${round}-${call}`), calls)
      // The first round pays for compiling the code.
      if (round > 0) measured[at].push(cpu)
    }
  }
  await driver.close()
  const cpuMicroseconds = (at) => Math.round(median(measured[at]))
  return Object.keys(subjects).map((what, at) => ({ what, cpuMicroseconds: cpuMicroseconds(at) }))
}

/** Fills a log to its bound, and opens it as a process does that starts. */
async function measureStart() {
  const full = path.join(folder, 'full')
  const before = await createFilesDriver({ folder: full })
  const answers = 60_000
  await cpuOf(async (call) => keep(await before.claim(`full-${call}`, keepMs)), answers)
  await before.close()
  globalThis.gc()
  const heapBefore = process.memoryUsage().heapUsed
  const driver = await createFilesDriver({ folder: full })
  const pauses = watchPauses()
  const cpuBefore = process.cpuUsage()
  await driver.claim('next', keepMs)
  const { user, system } = process.cpuUsage(cpuBefore)
  const pauseMs = pauses.end()
  globalThis.gc()
  const heapMegabytes = Math.round((process.memoryUsage().heapUsed - heapBefore) / 1e6)
  const logs = path.join(full, 'v1/claims')
  const bytes = readdirSync(logs).reduce(
    (sum, file) => sum + statSync(path.join(logs, file)).size,
    0,
  )
  await driver.close()
  const cpuMs = Math.round((user + system) / 1_000)
  return { answers, megabytes: Math.round(bytes / 1e6), cpuMs, heapMegabytes, pauseMs }
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

async function keep(claim) {
  if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`)
  await claim.keep(answer)
}

/** Removed at once: sooner or later each file has to be. */
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

function watchPauses() {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  return {
    end() {
      clearInterval(timer)
      return Math.round(longest)
    },
  }
}
