import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages } from './build.mjs'
import { createStamp, fingerprint } from './fingerprint.mjs'
import { root, stampsFolder } from './paths.mjs'
import { run, say } from './run.mjs'

/**
 * Throws if this version of Node is too old, because it would later cause errors that are less
 * clear.
 * @param {string} version value of `process.versions.node`
 */
export function assertNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Waymark needs Node 20.19 or later. This is Node ${version}.`)
}

/**
 * Installs the npm packages in the lock file, unless `node_modules` already matches it.
 * @param {'all' | 'packages'} part `packages` installs only the dependencies of the packages and the
 *   site, which is less than half
 * @throws if npm fails, after printing npm's output
 */
export async function ensureDependencies(part) {
  const value = fingerprint(root, [join(root, 'package-lock.json')])
  const stamps = { all: stampOf('all'), packages: stampOf('packages') }
  if (stamps.all.matches(value) || stamps[part].matches(value)) return
  say('Installing npm packages…')
  const folders = ['site', ...publishedPackages().map((name) => `packages/${name}`)]
  const chosen = folders.map((folder) => `--workspace=${folder}`)
  const options = part === 'all' ? [] : [...chosen, '--include-workspace-root']
  // Use `npm install` if `node_modules` exists, because `npm ci` would delete the folder.
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
