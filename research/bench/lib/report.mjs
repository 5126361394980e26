/** Prints tables for people, and appends JSON lines for later comparisons. */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'

const resultsFile = new URL('../results.jsonl', import.meta.url)

/**
 * Appends measured rows to `results.jsonl`, each with the machine and the time of the measurement.
 */
export function appendResults(kind, rows) {
  const where = { kind, at: new Date().toISOString(), commit: commit(), ...machine() }
  appendFileSync(
    resultsFile,
    rows.map((row) => `${JSON.stringify({ ...where, ...row })}\n`).join(''),
  )
}

/**
 * Describes the machine in one line. On a busy machine, ratios are doubtful, and absolute figures are
 * worthless.
 */
export function describeMachine() {
  const { node, cpu, cores, load } = machine()
  const busy = load > 0.5 ? `; busy (load ${load}), so repeat this when it is not` : ''
  return `Node ${node}, ${cores} cores of ${cpu}${busy}`
}

/**
 * Prints rows under headings, numbers to the right; above them the Node that measured them, for
 * figures of two Nodes can't be compared.
 * @param columns `[heading, key or function of the row]`
 */
export function printTable(columns, rows) {
  const cells = rows.map((row) => columns.map(([, of]) => cellText(row, of)))
  const lines = [columns.map(([heading]) => heading), ...cells]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)))
  const isText = (index) => cells.some((line) => /[a-z]/.test(line[index]))
  console.log(`Node ${process.versions.node}`)
  for (const line of lines) {
    const padded = line.map((cell, index) =>
      isText(index) ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
    )
    console.log(padded.join('  ').trimEnd())
  }
}

/** Returns the middle value, or the mean of the two middle values. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function cellText(row, of) {
  const value = typeof of === 'function' ? of(row) : row[of]
  return value === undefined || value === null ? '' : String(value)
}

function machine() {
  return {
    node: process.versions.node,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    load: Number(loadavg()[0].toFixed(2)),
  }
}

function commit() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '')
}
