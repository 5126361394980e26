/**
 * `npm test`: everything that must hold, in one run. Installs what is missing, then types, lint,
 * unit and architecture tests, end-to-end tests. `npm test -- unit e2e` runs only those stages;
 * `npm test -- e2e-all` runs each end-to-end suite in development, too.
 */
import { stages } from './testing/stages.mjs'
import { closingLine, sumTotals } from './testing/totals.mjs'
import { buildPackages } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { say } from './workspace/run.mjs'
import { caddy, chromium, ensureSystemTools, nginx, redis } from './workspace/systemTools.mjs'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no stage ${unknown.join(', ')}; there are ${stages.map((stage) => stage.name).join(', ')}.`,
  )
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
for (const stage of stages) {
  if (wanted.length > 0 ? !wanted.includes(stage.name) : stage.isExtra) continue
  say(`\n── ${stage.title} ──`)
  results.push(await stage.run())
}

const failed = results.filter((result) => !result.ok)
say('')
for (const { name, failures = [] } of failed) say([`Failed: ${name}`, ...failures].join('\n  '))
say(closingLine(sumTotals(results)))
process.exitCode = failed.length > 0 ? 1 : 0
