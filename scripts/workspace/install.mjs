import { join } from 'node:path'
import { createStamp, fingerprint } from './fingerprint.mjs'
import { root, stampsFolder } from './paths.mjs'
import { run, say } from './run.mjs'

/**
 * Refuses a Node that is too old, before it fails in less clear ways.
 * @param {string} version as `process.versions.node` gives it
 */
export function assertNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`This is Node ${version}; Waymark needs 20.19 or later.`)
}

/**
 * Installs the npm packages when `node_modules` does not belong to the lock file.
 * @throws when npm fails; its own output says why
 */
export async function ensureDependencies() {
  const lockFile = join(root, 'package-lock.json')
  const stamp = createStamp(join(stampsFolder, 'install'))
  if (stamp.matches(fingerprint(root, [lockFile]))) return
  say('Installing npm packages…')
  // Not `npm ci`: it refuses a lock file that was written on another platform when the registry
  // at hand lacks optional binaries of the other ones.
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress']
  const { exitCode } = await run(npm, args, { cwd: root })
  if (exitCode !== 0) throw new Error(`npm install failed with exit code ${exitCode}.`)
  stamp.write(fingerprint(root, [lockFile]))
}
