/**
 * `npm run react -- <version…>` runs the most important end-to-end tests with other versions of
 * React, such as `19.2.0` or `canary`, in development and in production. Without a version, it uses
 * the same versions as `npm test -- e2e-all`.
 */
import { buildPackages } from './workspace/build.mjs'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

const versions = process.argv.slice(2)
await buildPackages({ typeErrors: 'report' })
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'e2e/vitest.config.ts',
  'core.test',
]
const named = versions.length > 0 ? { REACT_VERSIONS: versions.join(',') } : {}
const env = { ...process.env, WAYMARK_E2E_ALL: '1', ...named }
const { exitCode } = await run(process.execPath, args, { cwd: root, env })
process.exitCode = exitCode
