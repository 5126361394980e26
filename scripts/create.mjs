/**
 * `npm run create my-app` creates an app that uses the packages of this checkout, as `npm create
 * waymark` does with the published packages. Additional options come after `--`.
 */
import { join } from 'node:path'
import { buildPackages } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { packagesOfTemplates, packForApps } from './workspace/packForApps.mjs'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

try {
  assertNodeVersion(process.versions.node)
  await ensureDependencies('packages')
  // `devtools` is built against the types of `replay`, which no template depends on.
  const first = ['waymark', 'testing', 'replay']
  const names = [...new Set([...first, ...packagesOfTemplates]), 'create-waymark']
  await buildPackages({ typeErrors: 'report', names })
  const [waymark] = await packForApps()
  const program = join(root, 'packages/create-waymark/bin/create-waymark.js')
  const args = [program, ...process.argv.slice(2), '--waymark', `file:${waymark}`]
  // Use the folder of the caller, because npm runs scripts in the root folder.
  const { exitCode } = await run(process.execPath, args, { cwd: process.env.INIT_CWD ?? root })
  process.exitCode = exitCode
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
