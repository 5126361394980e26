/** Load by wrk, on a separate core. */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const loadCores = '1'
const connections = 16
const run = promisify(execFile)

// Bash prints the user and system time of a command in seconds.
const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', 'taskset', '-c']

/** Ends the program with one line if a tool for the measurements is missing. */
export function requireTools() {
  const missing = [
    { tool: 'wrk', fix: 'apt-get install wrk' },
    { tool: 'taskset', fix: 'apt-get install util-linux' },
  ].find(({ tool }) => spawnSync(tool, ['--version']).error)
  if (!missing) return
  console.error(`${missing.tool} is missing: ${missing.fix}`)
  process.exit(1)
}

/**
 * Loads one URL for some seconds.
 * @param cores that wrk may use; by default the one that servers are not on
 * @param headers that each request carries
 * @param script of Lua that makes the requests, and its arguments
 * @returns requests answered, requests per second, latencies in ms, `loadCores` that wrk kept busy
 * on average, and what went wrong: `badStatus` answers that were not 2xx or 3xx, `socketErrors`
 */
export async function load(url, seconds, cores = loadCores, headers = {}, script = []) {
  // On a busy machine, a response may take longer than wrk's two seconds, and is still valid.
  const patience = ['--timeout', '10s']
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const [file, ...args] = script
  const options = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...patience,
    ...headerArgs,
    '--latency',
    ...(file ? ['-s', file, url, '--', ...args] : [url]),
  ]
  const { stdout, stderr } = await run('bash', [...timed, cores, 'wrk', ...options])
  const [user, system] = stderr.trim().split(' ').map(Number)
  return {
    requests: numberIn(stdout, /(\d+) requests in/),
    perSecond: numberIn(stdout, /Requests\/sec:\s+([\d.]+)/),
    p50Ms: durationIn(stdout, '50%'),
    p99Ms: durationIn(stdout, '99%'),
    loadCores: (user + system) / seconds,
    badStatus: numberIn(stdout, /Non-2xx or 3xx responses: (\d+)/),
    socketErrors: /Socket errors: (.*)/.exec(stdout)?.[1] ?? null,
  }
}

function numberIn(text, pattern) {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

function durationIn(text, label) {
  const [, value, unit] = new RegExp(`${label}\\s+([\\d.]+)(us|ms|s|m)\\b`).exec(text) ?? []
  const toMs = { us: 0.001, ms: 1, s: 1000, m: 60_000 }
  return Number(value) * toMs[unit]
}
