import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createStamp, fingerprint } from './fingerprint.mjs'
import { root, siteRoot, stampsFolder, waymarkCli } from './paths.mjs'
import { run, say } from './run.mjs'

/** What every build depends on besides its own sources. */
const sharedInputs = ['package-lock.json', 'tsconfig.base.json'].map((name) => join(root, name))

/**
 * A hash over the sources of all packages.
 * @returns {string}
 */
export function packagesFingerprint() {
  return fingerprint(root, [...sharedInputs, join(root, 'packages')])
}

/**
 * Builds the packages when their sources changed since the last build.
 * @param {{ typeErrors: 'throw' | 'report' }} options `tsc` writes its output despite type errors;
 *   `report` prints them and goes on, for callers that run the type check as a stage of its own
 */
export async function buildPackages({ typeErrors }) {
  const stamp = createStamp(join(stampsFolder, 'packages'))
  const value = packagesFingerprint()
  if (stamp.matches(value) && existsSync(waymarkCli)) return
  say('Building the packages…')
  for (const name of publishedPackages()) {
    // Files whose sources are gone would be bundled with the others.
    rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
    const args = ['run', 'build', '--silent', `--workspace=packages/${name}`]
    const { exitCode, output } = await run('npm', args, { cwd: root, quiet: true })
    if (exitCode === 0) continue
    say(output.trimEnd())
    if (typeErrors === 'throw') throw new Error(`Building packages/${name} failed.`)
    if (!existsSync(waymarkCli)) throw new Error(`Building packages/${name} made no output.`)
    return
  }
  stamp.write(value)
}

/** Builds the reference site for production when it or the packages changed. */
export async function buildSite() {
  const stamp = createStamp(join(stampsFolder, 'site'))
  const value = `${packagesFingerprint()}-${fingerprint(root, [siteRoot])}`
  if (stamp.matches(value) && existsSync(join(siteRoot, '.waymark'))) return
  say('Building the site…')
  const { exitCode, output } = await run(process.execPath, [waymarkCli, 'build'], {
    cwd: siteRoot,
    quiet: true,
  })
  if (exitCode !== 0) {
    say(output.trimEnd())
    throw new Error('Building the site failed.')
  }
  stamp.write(value)
}

/**
 * The folders of the packages, each after those that it is built against.
 * @returns {string[]}
 */
export function publishedPackages() {
  /** @type {Map<string, { folder: string, needs: string[] }>} */
  const packages = new Map()
  for (const folder of readdirSync(join(root, 'packages'))) {
    const file = join(root, 'packages', folder, 'package.json')
    const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    if (!manifest.scripts?.build) continue
    const { dependencies, peerDependencies, devDependencies } = manifest
    const needs = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })
    packages.set(manifest.name, { folder, needs })
  }
  /** @type {Set<string>} */
  const ordered = new Set()
  /** @param {string} name */
  const add = (name) => {
    const found = packages.get(name)
    if (!found || ordered.has(found.folder)) return
    packages.delete(name)
    for (const need of found.needs) add(need)
    ordered.add(found.folder)
  }
  for (const name of [...packages.keys()]) add(name)
  return [...ordered]
}
