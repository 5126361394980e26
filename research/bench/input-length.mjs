/**
 * Measures the cost of a request by the length of its input. The input is 1 to 16 kB of query, path,
 * each header that the framework reads, or names of form fields, with many fillings. The cost is the
 * server's CPU time.
 *
 *   node input-length.mjs [--subject cookie] [--rounds 3] [--all]
 */
import { Agent, request as sendRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildApp, cliFile } from './lib/fixture.mjs'
import { inputSubjects } from './lib/inputFillings.mjs'
import { appendResults, describeMachine, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    subject: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    all: { type: 'boolean', default: false },
  },
})
const lengths = [1024, 2048, 4096, 8192, 16_384]
// A target above 8192 characters is refused, and so are 16 kB of headers. A little less is accepted.
const margins = { 8192: 64, 16384: 64 }
const rounds = Number(options.rounds)
const requestsPerRound = 6
// A subject that misses its limit is measured again more often, to exclude chance.
const roundsOfSuspects = 12
const toReach = { cpuMs: 5, exponent: 1.3 }
// Below this time, noise decides about the exponent.
const leastMsForExponent = 1

const appDir = fileURLToPath(new URL('./input-app/', import.meta.url))
console.log(describeMachine())
await buildApp(appDir)
const server = await startServer({
  args: (port) => [cliFile, 'start', '--port', String(port), '--trust-proxy', 'loopback'],
  cwd: appDir,
  probe: true,
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
try {
  const subjects = inputSubjects(await actionId()).filter(({ subject }) =>
    subject.includes(options.subject),
  )
  await warmUp(subjects)
  const rows = []
  for (const subject of subjects) {
    const row = await measured(subject, rounds)
    rows.push(isBad(row) ? await measured(subject, roundsOfSuspects) : row)
  }
  report(rows)
} finally {
  agent.destroy()
  await server.stop()
}

async function actionId() {
  const html = await (await fetch(server.url)).text()
  const id = /\$ACTION_ID_([\w#]+)/.exec(html)?.[1]
  if (id === undefined) throw new Error('The page has no form with an action.')
  return id
}

// Short, so that code that is compiled late does not count for the first subject.
async function warmUp(subjects) {
  for (let round = 0; round < 3; round++) {
    for (const { build } of subjects) await send(build(round * 300))
  }
}

/**
 * Measures a subject with one filling. The result is the minimum CPU time of its rounds, because
 * noise only adds.
 */
async function measured({ subject, unit, build }, rounds) {
  const row = { subject, unit, statuses: {}, cpuMs: {} }
  for (const length of [0, ...lengths]) {
    const request = build(length - (margins[length] ?? 0))
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < rounds; round++) {
      const before = await server.cpuMicroseconds()
      for (let at = 0; at < requestsPerRound; at++) row.statuses[length] = await send(request)
      const used = ((await server.cpuMicroseconds()) - before) / requestsPerRound / 1000
      least = Math.min(least, used)
    }
    row.cpuMs[length] = least
  }
  return { ...row, ...growthOf(row) }
}

/**
 * @returns `worstMs` more than the empty input, and the exponent of its growth, or `null` for no
 *   growth
 */
function growthOf({ cpuMs, statuses }) {
  const addedMs = (length) => Math.max(0, cpuMs[length] - cpuMs[0])
  // An input that is refused for its length costs less than a shorter one.
  const accepted = lengths.filter((length) => statuses[length] !== 414 && statuses[length] !== 431)
  const worstMs = Math.max(...accepted.map(addedMs))
  const last = accepted.at(-1)
  const first = accepted.at(-3)
  if (addedMs(last) < leastMsForExponent) return { worstMs, exponent: null }
  const exponent = Math.log(addedMs(last) / Math.max(addedMs(first), 0.01)) / Math.log(last / first)
  return { worstMs, exponent }
}

function isBad({ worstMs, exponent }) {
  return worstMs > toReach.cpuMs || (exponent !== null && exponent > toReach.exponent)
}

/** @returns the status, or 0 if the server closed the connection */
function send({ method = 'GET', path, headers = {}, body }) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const request = sendRequest(
      server.url,
      { agent, method, path, headers: { ...headers, ...length } },
      (response) => {
        response.resume()
        response.once('close', () => resolve(response.statusCode))
      },
    )
    request.once('error', () => resolve(0))
    request.end(body)
  })
}

function report(rows) {
  const bad = rows.filter(isBad)
  const worst = options.all ? rows : worstOfEach(rows)
  const printed = [...new Set([...worst, ...bad])].map((row) => ({
    subject: row.subject,
    unit: row.unit,
    fillings: rows.filter(({ subject }) => subject === row.subject).length,
    ...Object.fromEntries(lengths.map((length) => [`ms${length}`, figure(row, length)])),
    worstMs: row.worstMs.toFixed(2),
    exponent: row.exponent?.toFixed(2) ?? '',
    status: Object.values(row.statuses).join(' '),
  }))
  appendResults('input-length', printed)
  printTable(
    [
      ['input', 'subject'],
      ['fillings', 'fillings'],
      ['the dearest', 'unit'],
      ...lengths.map((length) => [`${length / 1024} kB`, `ms${length}`]),
      ['exponent', 'exponent'],
      ['status', 'status'],
    ],
    printed,
  )
  const verdict = bad.length === 0 ? 'reached' : `missed by ${bad.length}`
  console.log(
    `ms of CPU over the empty input; at most ${toReach.cpuMs} ms, exponent ${toReach.exponent}: ${verdict}`,
  )
}

function worstOfEach(rows) {
  const worst = new Map()
  for (const row of rows) {
    const previous = worst.get(row.subject)
    if (!previous || row.worstMs > previous.worstMs) worst.set(row.subject, row)
  }
  return [...worst.values()]
}

function figure({ cpuMs }, length) {
  return Math.max(0, cpuMs[length] - cpuMs[0]).toFixed(2)
}
