/** Reads the kernel's counters for a process and its children (`/proc`, Linux only). */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// `getconf CLK_TCK` is 100 on every Linux that Node runs on.
const microsecondsPerTick = 10_000

/** Returns the CPU time of a process tree, in microseconds of user and system time. */
export function cpuMicroseconds(pid) {
  return sum(processTree(pid), (member) => {
    const fields = statFields(member)
    return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick
  })
}

/** Returns the resident memory of a process tree, in bytes. Shared pages count for each process. */
export function residentBytes(pid) {
  return sum(processTree(pid), (member) => statusKilobytes(member, 'VmRSS') * 1024)
}

/**
 * Samples the resident memory of a process tree every 50 ms. It may miss shorter peaks, but a build
 * holds its peak for longer.
 * @returns `end`, which stops and returns the maximum, in bytes
 */
export function samplePeak(pid) {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, 50)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}

/**
 * Runs a program of Node to its end.
 * @returns `seconds`; `cpuSeconds` of user and system time, its children's included; `peakMb`
 * @throws with what it printed, when it fails
 */
export async function measureCommand(args, { cwd, env }) {
  const startedAt = performance.now()
  const timed = ['-c', 'TIMEFORMAT="times %U %S"; time "$0" "$@"', process.execPath, ...args]
  const child = spawn('bash', timed, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  }
  const peak = samplePeak(child.pid)
  const code = await new Promise((resolve) => child.once('close', resolve))
  const seconds = (performance.now() - startedAt) / 1000
  const peakMb = Math.round(peak.end() / 2 ** 20)
  if (code !== 0) throw new Error(`${args.join(' ')} failed in ${cwd}:\n${printed}`)
  const [, user, system] = /times ([\d.]+) ([\d.]+)/.exec(printed) ?? []
  return {
    seconds: Number(seconds.toFixed(1)),
    cpuSeconds: Number((Number(user) + Number(system)).toFixed(1)),
    peakMb,
  }
}

/** Returns a process and all its descendants. Processes that end meanwhile are left out. */
function processTree(root) {
  const children = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statFields(name)?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (const member of tree) tree.push(...(children.get(member) ?? []))
  return tree
}

// Returns the fields after the command's name, which may itself contain spaces and parentheses.
function statFields(pid) {
  const stat = readProc(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statusKilobytes(pid, key) {
  const match = new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(readProc(`/proc/${pid}/status`))
  return Number(match?.[1] ?? 0)
}

function readProc(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process has ended since its number was read
  }
}

function sum(values, of) {
  return values.reduce((total, value) => total + (of(value) || 0), 0)
}

/**
 * Returns the processes of a tree with their share of memory in MB. Pages that processes share are
 * divided among them (`Pss`), so the sum is what a container counts.
 */
export function sampleProcesses(root) {
  return processTree(root).map((pid) => {
    const [, kilobytes = 0] = /^Pss:\s+(\d+)/m.exec(readProc(`/proc/${pid}/smaps_rollup`)) ?? []
    return { pid, mb: Number(kilobytes) / 1024 }
  })
}
