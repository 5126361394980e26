// Runs the reproductions of the reports, and prints a table. README.md explains the arguments.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' } },
})
const all = readdirSync(import.meta.dirname)
  .filter((name) => existsSync(path.join(import.meta.dirname, name, 'reproduce.mjs')))
  .sort()
const names = all.filter(
  (name) => positionals.length === 0 || positionals.some((prefix) => name.startsWith(prefix)),
)
if (names.length === 0) {
  console.error(`No report begins with ${positionals.join(' or ')}. There are ${all.join(', ')}.`)
  process.exit(2)
}

const width = Math.max(...names.map((name) => name.length))
const failures = []
let reproduced = 0
for (const name of names) {
  const startedAtMs = performance.now()
  const { verdict, output } = reproduce(name)
  const seconds = `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`
  console.log(`${name.padEnd(width)}  ${verdict.padEnd(14)}  ${seconds.padStart(7)}`)
  if (verdict === 'reproduced') reproduced += 1
  else failures.push(`\n${name}:\n${output}`)
}
console.log(`\n${reproduced} of ${names.length} reproduced`)
if (failures.length > 0) console.log(failures.join('\n'))
process.exitCode = failures.length > 0 ? 1 : 0

/**
 * Runs one reproduction.
 * @param {string} name
 * @returns {{ verdict: 'reproduced' | 'not reproduced' | 'failed', output: string }} `failed` if the
 *   script ended without a verdict
 */
function reproduce(name) {
  const script = path.join(import.meta.dirname, name, 'reproduce.mjs')
  const args = values.version === undefined ? [script] : [script, values.version]
  // A process that blocks ignores SIGTERM if it has a handler for it.
  const result = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 180_000,
    killSignal: 'SIGKILL',
  })
  const output = `${result.stdout}${result.stderr}`.trim()
  const lastLine = result.stdout.trim().split('\n').at(-1)
  const hasVerdict = lastLine === 'reproduced' || lastLine === 'not reproduced'
  return { verdict: result.status === 0 && hasVerdict ? lastLine : 'failed', output }
}
