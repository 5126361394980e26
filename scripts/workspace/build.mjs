import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createStamp, fingerprint } from './fingerprint.mjs'
import { root, siteRoot, stampsFolder, waymarkCli } from './paths.mjs'
import { run, say } from './run.mjs'

/** Files that affect every build, in addition to the sources of the package. */
const sharedInputs = ['package-lock.json', 'tsconfig.base.json'].map((name) => join(root, name))

/**
 * Returns a hash over the sources of all packages.
 * @returns {string}
 */
export function packagesFingerprint() {
  return fingerprint(root, [...sharedInputs, join(root, 'packages')])
}

/**
 * Builds the packages if their sources have changed since the last build.
 * @param {{ typeErrors: 'throw' | 'report', names?: readonly string[] }} options With `typeErrors:
 *   'report'`, type errors are printed and the build continues, because `tsc` writes its output
 *   despite them. This is for callers that check types in a separate stage. `names` are folders, each
 *   after the folders that it is built against.
 */
export async function buildPackages({ typeErrors, names = publishedPackages() }) {
  const value = packagesFingerprint()
  const packages = names.map((name) => ({
    name,
    dist: join(root, 'packages', name, 'dist'),
    stamp: createStamp(join(stampsFolder, 'built', name)),
  }))
  const outdated = packages.filter(({ dist, stamp }) => !stamp.matches(value) || !existsSync(dist))
  if (outdated.length > 0) say('Building the packages…')
  await buildEach(outdated, {
    value,
    typeErrors,
    build(name) {
      const args = ['run', 'build', '--silent', `--workspace=packages/${name}`]
      return run('npm', args, { cwd: root, quiet: true })
    },
  })
}

/**
 * Builds packages one after the other, and writes a stamp for each package without type errors.
 * @param {readonly { name: string, dist: string, stamp: ReturnType<typeof createStamp> }[]}
 * packages
 * @param {{ value: string, typeErrors: 'throw' | 'report', build: (name: string) => Promise<{
 * exitCode: number, output: string }>, }} options `value` is the fingerprint of the sources
 * @throws Error if a package has type errors and `typeErrors` is `throw`, or if a failed build
 * wrote no output
 */
export async function buildEach(packages, { value, typeErrors, build }) {
  for (const { name, dist, stamp } of packages) {
    // Delete old output first, because files whose sources were deleted would otherwise be bundled,
    // too.
    rmSync(dist, { recursive: true, force: true })
    const { exitCode, output } = await build(name)
    if (exitCode === 0) {
      stamp.write(value)
      continue
    }
    say(output.trimEnd())
    if (typeErrors === 'throw') throw new Error(`Building packages/${name} failed.`)
    if (!existsSync(dist)) throw new Error(`Building packages/${name} made no output.`)
  }
}

/**
 * Returns the folders of the packages that the site depends on. The site's API reference reads the
 * types of all these packages.
 * @returns {string[]}
 */
export function packagesOfSite() {
  const manifest = JSON.parse(readFileSync(join(siteRoot, 'package.json'), 'utf8'))
  const needed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
  const nameOf = (/** @type {string} */ folder) =>
    JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')).name
  return publishedPackages().filter((folder) => needed.has(nameOf(folder)))
}

/** Builds the reference site for production if the site or the packages have changed. */
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
 * Returns the folders of the packages, each after the folders that it is built against.
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
    const entry = packages.get(name)
    if (!entry || ordered.has(entry.folder)) return
    packages.delete(name)
    for (const need of entry.needs) add(need)
    ordered.add(entry.folder)
  }
  for (const name of [...packages.keys()]) add(name)
  return [...ordered]
}
