/**
 * Measures the memory of a build of 300 routes with 43 packages and 20 pictures. A build server
 * with 512 MB should be able to build such an app. Needs a Node that can read TypeScript; the app is
 * built with `--node`.
 *
 *   node build-memory.mjs [--routes 300] [--rounds 2] [--node /path/to/node] [--limit 512]
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cliFile } from './lib/fixture.mjs'
import { generateStore } from './lib/generateStore.mjs'
import { sampleProcesses } from './lib/process.mjs'
import { appendResults, describeMachine, printTable } from './lib/report.mjs'

const { values: options } = parseArgs({
  options: {
    routes: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '2' },
    node: { type: 'string', multiple: true, default: [process.execPath] },
    /** Ends the largest process if the build takes more MB, as a kernel does. */
    limit: { type: 'string' },
  },
})
const limitMb = options.limit === undefined ? null : Number(options.limit)

console.log(describeMachine())
const dir = await generateStore(Number(options.routes))
const rows = []
for (let round = 0; round < Number(options.rounds); round++) {
  for (const node of options.node) {
    // The first round creates the variants of the pictures.
    rmSync(`${dir}.waymark`, { recursive: true, force: true })
    rows.push({ round, node, ...(await measureBuild(node)) })
  }
}
appendResults('build-memory', rows)
printTable(
  [
    ['round', 'round'],
    ['node', 'node'],
    ['exit', 'exit'],
    ['s', 'seconds'],
    ['peak MB', 'peakMb'],
    ['during', 'during'],
    ['processes MB', 'processes'],
  ],
  rows,
)
console.log('to reach: 512 MB')

async function measureBuild(node) {
  const startedAt = performance.now()
  const child = spawn(node, [cliFile, 'build'], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  }
  const steps = {}
  let peak = { mb: 0, processes: [] }
  let during = ''
  const timer = setInterval(() => {
    const processes = sampleProcesses(child.pid)
    const mb = processes.reduce((total, each) => total + each.mb, 0)
    // A line is printed when a step has ended.
    const step = printed.split('\n').filter((line) => /^ {2}\S.* [\d.]+ s$/.test(line)).length
    steps[step] = Math.max(steps[step] ?? 0, Math.round(mb))
    if (mb > peak.mb) {
      peak = { mb, processes: processes.map((each) => Math.round(each.mb)) }
      during = step
    }
    if (limitMb !== null && mb > limitMb) {
      const [largest] = processes.sort((a, b) => b.mb - a.mb)
      process.kill(largest.pid, 'SIGKILL')
    }
  }, 100)
  const [code, signal] = await new Promise((resolve) =>
    child.once('close', (...ended) => resolve(ended)),
  )
  clearInterval(timer)
  console.log(printed)
  console.log(`peak MB after n steps: ${JSON.stringify(steps)}`)
  return {
    exit: code ?? signal,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    peakMb: Math.round(peak.mb),
    during,
    processes: peak.processes.join(' + '),
  }
}
