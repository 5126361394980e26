/**
 * Measures calls of a server action per second and their 99th percentile, compared with a bare
 * `decodeReply` loop. The calls have no key, or a different key each, with the results stored in
 * files or in Redis.
 * Run `npm run build -w waymark` first, then `node research/bench/actions.mjs`.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { requireTools } from './lib/load.mjs'
import { startBenchRedis } from './lib/redis.mjs'
import { appendResults, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const appDir = fileURLToPath(new URL('./actions-app/', import.meta.url))
const floorFile = fileURLToPath(new URL('./floors/actions.mjs', import.meta.url))
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const body = JSON.stringify(['text', 42, { list: [1, 2, 3], date: '$D2026-11-21T00:00:00.000Z' }])
const run = promisify(execFile)
/** A different key for each call, as the app's script sends it. */
const keyedRequest = `
local count = 0
local start = tostring(os.time())
request = function()
  count = count + 1
  wrk.headers["waymark-idempotency-key"] = string.format("bench-%s-%010d", start, count)
  return wrk.format()
end`

requireTools()
await buildApp(appDir)
const script = writeScript(actionId())
const keyedScript = writeScript(actionId(), true)
const floor = await startServer({
  args: (port) => ['--conditions', 'react-server', floorFile, port],
})
const app = await startServer({ args: startArgs, cwd: appDir })
const redis = await startBenchRedis()
const withRedis = await startServer({
  args: startArgs,
  cwd: appDir,
  env: { WAYMARK_REDIS_URL: redis.url },
})
/** The subjects, each on its server, with the limit of its CPU time relative to the floor's. */
const subjects = [
  { what: 'decodeReply loop', server: floor, script },
  { what: 'calls', server: app, script, asked: 0.7 },
  { what: 'calls with keys, in files', server: app, script: keyedScript, asked: 0.5 },
  { what: 'calls with keys, in Redis', server: withRedis, script: keyedScript, asked: 0.5 },
]
try {
  const rows = subjects.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { server, script }] of subjects.entries()) {
      const measured = await load(server, script)
      // The first round includes the compilation of the code.
      if (round > 0) rows[at].push(measured)
    }
  }
  report(rows.map(median))
} finally {
  await Promise.all([floor.stop(), app.stop(), withRedis.stop()])
  redis.stop()
}

function report(measured) {
  const [best] = measured
  const rows = subjects.map(({ what, asked }, at) => ({
    what,
    ...measured[at],
    ofFloor: rounded(measured[at].perSecond / best.perSecond),
    ofFloorByCpu: rounded(best.cpuMicroseconds / measured[at].cpuMicroseconds),
    asked,
  }))
  const columns = [
    'what',
    'perSecond',
    'cpuMicroseconds',
    'p99Ms',
    'ofFloor',
    'ofFloorByCpu',
    'asked',
  ]
  printTable(
    columns.map((each) => [each, each]),
    rows,
  )
  appendResults(
    'actions',
    rows.map((row) => ({ ...row, rounds, seconds })),
  )
}

function rounded(ratio) {
  return Number(ratio.toFixed(3))
}

/** Returns the id of the action, from the client's code. */
function actionId() {
  const folder = path.join(appDir, '.waymark/client/_waymark/assets')
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const code = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n')
  const id = /["'`]([0-9a-f]+#echo)["'`]/.exec(code)?.[1]
  if (!id) throw new Error('The action is not in the client’s code.')
  return id
}

function writeScript(id, isKeyed = false) {
  const name = `waymark-bench-actions-${process.pid}${isKeyed ? '-keyed' : ''}.lua`
  const file = path.join(tmpdir(), name)
  const headers = {
    'content-type': 'text/plain;charset=UTF-8',
    'waymark-action': id,
    'sec-fetch-site': 'same-origin',
    accept: 'text/x-component',
  }
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  )
  // Lua's long brackets don't work here, because the list in the body ends with the same brackets.
  const request = ['wrk.method = "POST"', `wrk.body = ${JSON.stringify(body)}`]
  writeFileSync(file, [...request, ...lines, ...(isKeyed ? [keyedRequest] : [])].join('\n'))
  return file
}

async function load({ url, pid }, script) {
  const options = ['-t1', '-c16', `-d${seconds}s`, '--latency', '-s', script, `${url}/`]
  const cpuBefore = cpuSeconds(pid)
  const { stdout, stderr } = await run('taskset', ['-c', '1', 'wrk', ...options])
  if (stderr || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stderr + stdout)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    cpuMicroseconds: Math.round(((cpuSeconds(pid) - cpuBefore) * 1e6) / requests),
    p99Ms: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit],
  }
}

/** CPU time of a server so far, which is the same on a busy machine. In hundredths: proc(5). */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/**
 * The median of each figure separately, because the round with the median rate may not have the
 * median CPU time.
 */
function median(results) {
  const middleOf = (name) =>
    results.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(results.length / 2)]
  return Object.fromEntries(Object.keys(results[0]).map((name) => [name, middleOf(name)]))
}
