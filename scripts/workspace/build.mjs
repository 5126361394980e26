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
 * @param {{ typeErrors: 'throw' | 'report', names?: readonly string[] }} options `tsc` writes its
 *   output despite type errors; `report` prints them and builds the packages that follow, for callers
 *   that run the type check as a stage of its own. `names` are folders, each after those that it is
 *   built against
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
 * Builds packages one after the other, and stamps those without a type error.
 * @param {readonly { name: string, dist: string, stamp: ReturnType<typeof createStamp> }[]} packages
 * @param {{
 *   value: string,
 *   typeErrors: 'throw' | 'report',
 *   build: (name: string) => Promise<{ exitCode: number, output: string }>,
 * }} options `value` is the fingerprint of the sources
 * @throws Error where a package has type errors and `typeErrors` is `throw`, and where a failed build
 *   wrote no output
 */
export async function buildEach(packages, { value, typeErrors, build }) {
  for (const { name, dist, stamp } of packages) {
    // Files whose sources are gone would be bundled with the others.
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
 * The folders of the packages that the site depends on; its reference reads the types of all of them.
 * @returns {string[]}
 */
export function packagesOfSite() {
  const manifest = JSON.parse(readFileSync(join(siteRoot, 'package.json'), 'utf8'))
  const needed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
  const nameOf = (/** @type {string} */ folder) =>
    JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')).name
  return publishedPackages().filter((folder) => needed.has(nameOf(folder)))
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
    const entry = packages.get(name)
    if (!entry || ordered.has(entry.folder)) return
    packages.delete(name)
    for (const need of entry.needs) add(need)
    ordered.add(entry.folder)
  }
  for (const name of [...packages.keys()]) add(name)
  return [...ordered]
}
