/**
 * `npm run nightly` runs the tests that take too long for a pull request. `npm run nightly -- fuzz
 * react` runs only the parts with these names.
 */
import { nightlyParts, partsToRun } from './testing/nightlyParts.mjs'
import { buildPackages } from './workspace/build.mjs'
import { ensureDependencies } from './workspace/install.mjs'
import { root } from './workspace/paths.mjs'
import { run, say } from './workspace/run.mjs'
import { chromium, ensureSystemTools, redis } from './workspace/systemTools.mjs'

const seed = Date.now() % 1_000_000_000
const { parts, unknown } = partsToRun(process.argv.slice(2), nightlyParts(seed))
if (unknown.length > 0) {
  const names = nightlyParts(seed).map(({ name }) => name)
  console.error(`Unknown part: ${unknown.join(', ')}. Available parts: ${names.join(', ')}.`)
  process.exit(2)
}

await ensureDependencies('all')
await ensureSystemTools([chromium, redis])
await buildPackages({ typeErrors: 'throw' })

const failed = []
for (const { name, title, args, env } of parts) {
  say(`\n── ${title} ──`)
  const options = { cwd: root, env: { ...process.env, ...env } }
  const { exitCode } = await run(process.execPath, args, options)
  if (exitCode !== 0) failed.push(name)
}
say(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll parts passed.')
process.exitCode = failed.length > 0 ? 1 : 0
