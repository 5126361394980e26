import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/paths.mjs'
import { must } from '../workspace/run.mjs'
import { publishProblems, typeProblems } from './checkTarball.mjs'
import { licenseViolations } from './licenses.mjs'
import { withVersions } from './versions.mjs'

/**
 * @typedef {import('./licenses.mjs').Sbom} Sbom
 * @typedef {import('./versions.mjs').Versions} Versions
 * @typedef {{
 *   folders: readonly string[],
 *   versions: Versions,
 *   changelog: string,
 *   repository: string | null,
 * }} Release `folders` are the packages' folders; `repository` is the owner and name on GitHub
 * @typedef {{ name: string, version: string, tarball: string }} Packed
 */

/**
 * Packs the packages as they will be published. The repository is not changed, because the versions
 * are written into copies.
 * @param {Release} release
 * @param {string} staging an empty folder
 * @returns {Promise<Packed[]>} the packed packages, in the order of the folders
 */
export async function packRelease(release, staging) {
  const packed = join(staging, 'packed')
  mkdirSync(packed, { recursive: true })
  const packages = []
  for (const folder of release.folders) {
    const copy = join(staging, 'packages', folder)
    copyPackage(folder, copy, release)
    // Don't run the package's scripts, because they would build the package again from the
    // repository.
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', packed]
    const [{ name, version, filename }] = JSON.parse(await must('npm', args, copy))
    packages.push({ name, version, tarball: join(packed, filename) })
  }
  return packages
}

/** @param {string} folder @param {string} copy @param {Release} release */
function copyPackage(folder, copy, { versions, changelog, repository }) {
  const source = join(root, 'packages', folder)
  const manifest = readJson(join(source, 'package.json'))
  for (const name of manifest.files) {
    const path = join(source, name)
    if (existsSync(path)) cpSync(path, join(copy, name), { recursive: true })
  }
  writeJson(join(copy, 'package.json'), {
    ...withVersions(manifest, versions),
    // Set this field, because npm compares it with the repository in the provenance.
    ...(repository === null ? {} : { repository: repositoryOf(repository, folder) }),
  })
  if (manifest.files.includes('CHANGELOG.md')) {
    writeFileSync(join(copy, 'CHANGELOG.md'), changelog)
  }
  for (const template of templatesIn(copy)) {
    const file = join(template, 'package.json')
    writeJson(file, withVersions(readJson(file), versions))
  }
}

/** @param {string} repository @param {string} folder */
function repositoryOf(repository, folder) {
  return {
    type: 'git',
    url: `git+https://github.com/${repository}.git`,
    directory: `packages/${folder}`,
  }
}

/** @param {string} folder */
function templatesIn(folder) {
  const templates = join(folder, 'templates')
  return existsSync(templates) ? readdirSync(templates).map((name) => join(templates, name)) : []
}

/**
 * Checks the tarballs with publint, and checks their types and the licences of all packages that
 * would be installed.
 * @param {readonly Packed[]} packages
 * @param {Sbom} sbom
 * @returns {Promise<string[]>} one line for each problem
 */
export async function releaseProblems(packages, sbom) {
  const problems = licenseViolations(sbom).map((violation) => `licence: ${violation}`)
  for (const { name, tarball } of packages) {
    const types = await typeProblems(tarball)
    const entries = await publishProblems(tarball)
    problems.push(...types.map((problem) => `${name}: types: ${JSON.stringify(problem)}`))
    problems.push(...entries.map((problem) => `${name}: publint: ${problem}`))
  }
  return problems
}

/**
 * Returns the bill of materials of an app that installs all packages, in CycloneDX format. npm
 * resolves the dependencies without downloading them.
 * @param {readonly Packed[]} packages
 * @param {string} staging
 * @returns {Promise<Sbom>}
 */
export async function createSbom(packages, staging) {
  const app = join(staging, 'app')
  mkdirSync(app, { recursive: true })
  const dependencies = packages.map(({ name, tarball }) => [name, `file:${tarball}`])
  writeJson(join(app, 'package.json'), {
    name: 'waymark-packages',
    version: '1.0.0',
    private: true,
    dependencies: Object.fromEntries(dependencies),
  })
  const options = ['--ignore-scripts', '--no-audit', '--no-fund']
  await must('npm', ['install', '--package-lock-only', ...options], app)
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  return JSON.parse(await must('npm', args, app))
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** @param {string} file @param {unknown} value */
export function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
