/**
 * `npm test` runs everything that must pass. It installs what is missing, then runs types, lint, unit
 * and architecture tests, and end-to-end tests. `npm test -- quick` runs a selection for a first
 * answer. `npm test -- unit e2e` runs only those stages. `npm test -- e2e-all` runs each end-to-end
 * suite in development and in production.
 */
import { chooseStages, runs, stages } from './testing/stages.mjs'
import { closingLine, sumTotals } from './testing/totals.mjs'
import { buildPackages } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { say } from './workspace/run.mjs'
import { caddy, chromium, ensureSystemTools, nginx, redis } from './workspace/systemTools.mjs'

const names = process.argv.slice(2)
const { chosen, unknown } = chooseStages(names)
if (unknown.length > 0) {
  const stageNames = [...runs.keys(), ...stages.map((stage) => stage.name)]
  console.error(`Unknown stage: ${unknown.join(', ')}. Available stages: ${stageNames.join(', ')}.`)
  process.exit(2)
}

try {
  assertNodeVersion(process.versions.node)
  await ensureDependencies('all')
  await ensureSystemTools([chromium, redis, nginx, caddy])
  await buildPackages({ typeErrors: 'report' })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  say('0 passed, 1 failed')
  process.exit(1)
}

const results = []
const durations = []
for (const stage of chosen) {
  say(`\n── ${stage.title} ──`)
  const startedAtMs = Date.now()
  results.push(await stage.run())
  durations.push(`${stage.name} ${Math.round((Date.now() - startedAtMs) / 1000)} s`)
}

const failed = results.filter((result) => !result.ok)
say('')
say(`Time: ${durations.join(', ')}`)
const leftOut = results.flatMap((result) => result.leftOut ?? [])
if (leftOut.length > 0) {
  say(`Left out: ${leftOut.join('; ')}. Run \`npm test\` to run everything.`)
}
for (const { name, failures = [] } of failed) say([`Failed: ${name}`, ...failures].join('\n  '))
say(closingLine(sumTotals(results)))
process.exitCode = failed.length > 0 ? 1 : 0
