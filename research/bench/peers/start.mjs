/** Starts the server of each framework alternately, and waits for its first response. */
import { cpuMicroseconds } from '../lib/process.mjs'
import { median } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'

/** @returns for each framework, the medians of wall time and processor time in ms */
export async function measureStarts(frameworks, rounds) {
  const times = frameworks.map(() => ({ ms: [], cpuMs: [] }))
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { start, ...each }] of frameworks.entries()) {
      const server = await startServer({ ...each, args: start, path: '/small?q=1' })
      const cpuMs = cpuMicroseconds(server.pid) / 1000
      await server.stop()
      // The first start reads files from the disk that later starts find in memory.
      if (round === 0) continue
      times[at].ms.push(server.readyMs)
      times[at].cpuMs.push(cpuMs)
    }
  }
  return frameworks.map(({ name }, at) => ({
    server: name,
    ms: Math.round(median(times[at].ms)),
    cpuMs: Math.round(median(times[at].cpuMs)),
  }))
}
