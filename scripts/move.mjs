/**
 * `npm run move ../my-app` moves an App Router app to the packages of this checkout, as `npx
 * @waymark/next move` does with the published packages. Options of `move` come after `--`.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildPackages } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { packForMove } from './workspace/packForMove.mjs'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

try {
  const [folder, ...options] = process.argv.slice(2)
  if (!folder) throw new Error('Usage: npm run move <app folder> [-- options of move]')
  // Resolve the path from the folder of the caller, because npm runs scripts in the root folder.
  const app = resolve(process.env.INIT_CWD ?? root, folder)
  if (!existsSync(join(app, 'package.json'))) throw new Error(`There is no app in ${app}.`)
  assertNodeVersion(process.versions.node)
  await ensureDependencies('packages')
  await buildPackages({ typeErrors: 'report', names: ['waymark', 'font', 'image', 'next'] })
  const { waymark, next } = await packForMove()
  const program = join(root, 'packages/next/bin/waymark-next.js')
  const args = [program, 'move', '--waymark', waymark, '--next', next, ...options]
  const { exitCode } = await run(process.execPath, args, { cwd: app })
  process.exitCode = exitCode
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
