import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages } from './build.mjs'
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
 * Installs the npm packages, exactly as the lock file names them, when `node_modules` does not
 * belong to it.
 * @param {'all' | 'packages'} part `packages`: what the packages and the site need, less than half
 * @throws when npm fails; its own output says why
 */
export async function ensureDependencies(part) {
  const value = fingerprint(root, [join(root, 'package-lock.json')])
  const stamps = { all: stampOf('all'), packages: stampOf('packages') }
  if (stamps.all.matches(value) || stamps[part].matches(value)) return
  say('Installing npm packages…')
  const folders = ['site', ...publishedPackages().map((name) => `packages/${name}`)]
  const chosen = folders.map((folder) => `--workspace=${folder}`)
  const options = part === 'all' ? [] : [...chosen, '--include-workspace-root']
  // `npm ci` would remove what is there.
  const command = existsSync(join(root, 'node_modules/.package-lock.json')) ? 'install' : 'ci'
  const args = [command, '--no-audit', '--no-fund', '--loglevel=error', '--no-progress', ...options]
  const { exitCode } = await run('npm', args, { cwd: root })
  if (exitCode !== 0) throw new Error(`npm ${command} failed with exit code ${exitCode}.`)
  stamps[part].write(value)
}

/** @param {string} part */
function stampOf(part) {
  return createStamp(join(stampsFolder, `install-${part}`))
}
