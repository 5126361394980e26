import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packForMove } from '../../scripts/workspace/packForMove.mjs'
import { root } from '../../scripts/workspace/paths.mjs'
import { must, run, say } from '../../scripts/workspace/run.mjs'
import { chromium } from '../../scripts/workspace/systemTools.mjs'

/**
 * A public suite that is run against the names of `next`: it is fetched into a folder outside of
 * this repository, moved by `waymark-next move`, built, served and tested there.
 * @typedef {{ folder: string, packs: { waymark: string, next: string } }} Suite
 */

/**
 * Fetches a repository's folders, and packs the packages of this one.
 * @param {{ name: string, repository?: string, folders?: Record<string, string>, into?: string }} source
 *   `folders` maps their place there to the one in the suite's folder; the whole repository becomes
 *   `app` where there are none. `into` is the suite's folder, which the command line names otherwise
 * @returns {Promise<Suite>}
 */
export async function layOut({ name, repository = '', folders = {}, into }) {
  const { values } = into
    ? { values: { repository, into } }
    : parseArgs({
        options: { repository: { type: 'string', default: repository }, into: { type: 'string' } },
      })
  const folder = path.resolve(values.into ?? path.join('/tmp/waymark-suites', name))
  if (folder.startsWith(root + path.sep)) throw new Error(`${folder} is inside of the repository.`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  if (values.repository !== '') await checkOut(values.repository, folders, folder)
  return { folder, packs: await packForMove() }
}

/** @param {string} repository @param {Record<string, string>} folders @param {string} into */
async function checkOut(repository, folders, into) {
  let git = repository
  if (!path.isAbsolute(git)) {
    git = path.join(into, 'source.git')
    await must('git', ['clone', '--quiet', '--bare', '--depth', '1', repository, git], into)
  }
  const tar = path.join(into, 'source.tar')
  await must('git', ['archive', '-o', tar, 'HEAD', ...Object.keys(folders)], git)
  const tree = path.join(into, 'source')
  await mkdir(tree)
  await must('tar', ['xf', tar], tree)
  if (Object.keys(folders).length === 0) await rename(tree, path.join(into, 'app'))
  for (const [from, to] of Object.entries(folders)) {
    await rename(path.join(tree, from), path.join(into, to))
  }
}

/**
 * Changes a `package.json`.
 * @param {string} folder
 * @param {(manifest: any) => unknown} change returns the new manifest
 */
export async function changeManifest(folder, change) {
  const file = path.join(folder, 'package.json')
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8'))), null, 2))
}

/**
 * Makes a change that `move` leaves to a person.
 * @param {string} file
 * @param {string | RegExp} before must occur in the file
 * @param {string} after
 */
export async function edit(file, before, after) {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(before, after)
  if (changed === text) throw new Error(`${file} has no ${before}`)
  await writeFile(file, changed)
}

/**
 * Commits an unchanged app, then moves it.
 * @param {Suite} suite
 * @param {string} app folder of the app
 */
export async function moveApp({ packs }, app) {
  await must('git', ['init', '--quiet'], app)
  await must('git', ['add', '.'], app)
  const author = ['-c', 'user.name=Suite', '-c', 'user.email=suite@localhost']
  await must('git', [...author, 'commit', '--quiet', '-m', 'As it is'], app)
  const bin = path.join(root, 'packages/next/bin/waymark-next.js')
  const names = ['--waymark', packs.waymark, '--next', packs.next]
  say(await must('node', [bin, 'move', '--no-build', ...names], app))
  await must('npm', ['install', '--no-audit', '--no-fund'], app)
}

/**
 * Runs Playwright with this machine's Chromium, on the server that the suite's own configuration
 * starts.
 * @param {string} app
 * @param {{ args?: readonly string[], env?: Record<string, string> }} [options]
 * @returns {Promise<Count>}
 *
 * @typedef {{ passed: number, failures: string[] }} Count
 */
export async function runPlaywright(app, { args = [], env = {} } = {}) {
  const executablePath = chromium.find()
  if (executablePath === null) throw new Error(chromium.hint())
  await writeFile(path.join(app, 'playwright.waymark.config.ts'), playwrightConfig)
  const all = { ...process.env, ...env, CHROMIUM: executablePath }
  const config = ['--config', 'playwright.waymark.config.ts']
  await run('npx', ['playwright', 'test', ...config, ...args], { cwd: app, env: all })
  const report = JSON.parse(await readFile(path.join(app, 'report.json'), 'utf8'))
  return countSpecs(report.suites)
}

const playwrightConfig = `import { defineConfig } from '@playwright/test'
import own from './playwright.config'

const launchOptions = { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] }
export default defineConfig({
  ...own,
  timeout: 15_000,
  retries: 0,
  workers: 2,
  reporter: [['line'], ['json', { outputFile: 'report.json' }]],
  projects: own.projects?.map((each) => ({ ...each, use: { ...each.use, launchOptions } })),
  webServer: {
    ...own.webServer,
    command: 'npm start',
    reuseExistingServer: false,
    timeout: 60_000,
  },
})
`

/**
 * Counts the runs of all cases. A case is one place in a file, even if it runs in several variants.
 * @param {readonly any[]} suites
 * @returns {Count}
 */
function countSpecs(suites) {
  const specs = suites.flatMap(function specsOf(/** @type {any} */ suite) {
    return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  })
  /** @param {any} spec */
  const isRun = ({ tests }) => tests.some((/** @type {any} */ each) => each.status !== 'skipped')
  const ended = specs.filter(isRun)
  const failed = ended.filter(({ ok }) => !ok)
  /** @param {readonly any[]} each */
  const countPlaces = (each) => new Set(each.map(({ file, line }) => `${file}:${line}`)).size
  const cases = countPlaces(ended)
  say(`${cases - countPlaces(failed)} of ${cases} cases passed with all of their variants`)
  return {
    passed: ended.length - failed.length,
    failures: failed.map(({ file, line, title }) => `${file}:${line} ${title}`),
  }
}

/**
 * Prints what passed, and sets the exit code 1 if something failed.
 * @param {string} name
 * @param {Count} count
 */
export function report(name, { passed, failures }) {
  for (const each of failures) say(`  failed: ${each}`)
  say(`${name}: ${passed} of ${passed + failures.length} passed`)
  if (failures.length > 0) process.exitCode = 1
}
