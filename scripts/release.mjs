/**
 * `npm run release` writes the next version and its changelog, checks what will be published, then
 * commits and tags. Pushing the tag publishes the release: the workflow runs `npm run release --
 * --publish`.
 * `--dry-run` does everything up to the commit in a temporary folder, and changes nothing.
 * `--publish` publishes the version in the repository, which must match the tag. `--output FOLDER`
 * sets the folder for tarballs, bill of materials, licences and notes.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addRelease, nextVersion, parseChanges, releaseNotes } from './release/changes.mjs'
import { licenseList } from './release/licenses.mjs'
import {
  createSbom,
  packRelease,
  readJson,
  releaseProblems,
  writeJson,
} from './release/packRelease.mjs'
import { versionsOfRelease, withVersions, workspaceFolders } from './release/versions.mjs'
import { buildPackages, publishedPackages } from './workspace/build.mjs'
import { root } from './workspace/paths.mjs'
import { must, say } from './workspace/run.mjs'

/** @typedef {import('./release/packRelease.mjs').Release} Release */

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    output: { type: 'string' },
  },
})
const changelogFile = join(root, 'packages/waymark/CHANGELOG.md')
const changesFolder = join(root, 'changes')

try {
  if (options.publish) await publishRelease()
  else await prepareRelease()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function prepareRelease() {
  const isDry = options['dry-run']
  if (!isDry) await assertCleanTree()
  const { changes, problems } = readChanges()
  if (problems.length > 0) throw new Error(problems.join('\n'))

  const folders = publishedPackages()
  const manifests = folders.map((folder) =>
    readJson(join(root, 'packages', folder, 'package.json')),
  )
  const current = manifests.find(({ name }) => name === 'waymark').version
  const changelog = readFileSync(changelogFile, 'utf8')
  const version = nextVersion(changelog, current, changes)
  const date = new Date().toISOString().slice(0, 10)
  /** @type {Release} */
  const release = {
    folders,
    versions: versionsOfRelease(manifests, version),
    changelog: addRelease(changelog, { version, date, changes }),
    repository: repositoryName(),
  }
  say(`The next version is ${version}. It includes ${changes.length} files of changes/.`)
  await packAndCheck(release, version)
  if (isDry) return say(`Dry run of ${version}: nothing was changed.`)

  writeRelease(release)
  await must('npm', ['install', '--package-lock-only', '--ignore-scripts'], root)
  await git('add', '--all')
  await git('commit', '--message', `release: ${version}`)
  await git('tag', '--annotate', `v${version}`, '--message', `Waymark ${version}`)
  say(`Committed and tagged. To publish, run: git push --follow-tags`)
}

async function publishRelease() {
  const folders = publishedPackages()
  const manifests = folders.map((folder) =>
    readJson(join(root, 'packages', folder, 'package.json')),
  )
  const versions = Object.fromEntries(manifests.map(({ name, version }) => [name, version]))
  const version = versions.waymark ?? ''
  const tag = process.env.GITHUB_REF_NAME
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} does not match version ${version}.`)
  const changelog = readFileSync(changelogFile, 'utf8')
  const release = { folders, versions, changelog, repository: repositoryName() }
  const packages = await packAndCheck(release, version)
  for (const { name, version, tarball } of packages) {
    if (await isPublished(name, version)) {
      say(`${name} ${version} is already published. Skipped.`)
      continue
    }
    await must('npm', ['publish', tarball, '--access', 'public', '--provenance'], root)
    say(`Published ${name} ${version}.`)
  }
}

/** @param {Release} release @param {string} version */
async function packAndCheck(release, version) {
  await buildPackages({ typeErrors: 'throw' })
  const staging = mkdtempSync(join(tmpdir(), 'waymark-release-'))
  const output = options.output === undefined ? join(staging, 'output') : resolve(options.output)
  mkdirSync(output, { recursive: true })
  const packages = await packRelease(release, staging)
  for (const { name, version, tarball } of packages) say(`Packed ${name} ${version}: ${tarball}`)

  const sbom = await createSbom(packages, staging)
  writeJson(join(output, 'sbom.cdx.json'), sbom)
  writeFileSync(join(output, 'licenses.md'), licenseList(sbom))
  writeFileSync(join(output, 'notes.md'), `${releaseNotes(release.changelog, version)}\n`)
  const problems = await releaseProblems(packages, sbom)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  say(
    `publint, the types and the licences of ${sbom.components.length} packages are fine. Output: ${output}`,
  )
  return packages
}

/** @param {Release} release */
function writeRelease({ versions, changelog }) {
  writeFileSync(changelogFile, changelog)
  const templates = 'packages/create-waymark/templates'
  const folders = [
    ...workspaceFolders(readJson(join(root, 'package-lock.json'))),
    ...readdirSync(join(root, templates)).map((name) => `${templates}/${name}`),
  ]
  for (const folder of folders) {
    const file = join(root, folder, 'package.json')
    writeJson(file, withVersions(readJson(file), versions))
  }
  for (const name of changeFiles()) rmSync(join(changesFolder, name))
}

function readChanges() {
  const texts = changeFiles().map((name) => [name, readFileSync(join(changesFolder, name), 'utf8')])
  return parseChanges(Object.fromEntries(texts))
}

function changeFiles() {
  if (!existsSync(changesFolder)) return []
  return readdirSync(changesFolder).filter((name) => name !== 'README.md')
}

/** Returns the repository's owner and name on GitHub, from the environment of a workflow. */
function repositoryName() {
  return process.env.GITHUB_REPOSITORY ?? null
}

async function assertCleanTree() {
  const changed = await git('status', '--porcelain')
  if (changed.trim() !== '')
    throw new Error(`These files have uncommitted changes. Commit or remove them:\n${changed}`)
}

/** @param {string} name @param {string} version */
async function isPublished(name, version) {
  try {
    return (await must('npm', ['view', `${name}@${version}`, 'version'], root)).trim() !== ''
  } catch (error) {
    // The registry answers E404 if it doesn't have the package yet.
    if (error instanceof Error && error.message.includes('E404')) return false
    throw error
  }
}

/** @param {readonly string[]} args */
function git(...args) {
  return must('git', args, root)
}
