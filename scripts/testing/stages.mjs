import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installNode, otherNodes } from '../workspace/nodeVersions.mjs'
import { root } from '../workspace/paths.mjs'
import { run } from '../workspace/run.mjs'
import { parseReport } from './totals.mjs'

/**
 * @typedef {import('./totals.mjs').StageResult} StageResult
 * @typedef {{ name: string, title: string, run: () => Promise<StageResult>, isExtra?: boolean }} Stage
 */

const endToEnd = ['--config', 'e2e/vitest.config.ts']

// Builds, both servers, pages in a browser, and of the adversary one app with a tenth of its requests.
const selected = ['core', 'health', 'adversary'].map((name) => `e2e/${name}.test.ts`)
const selection = {
  REACT_VERSIONS: '',
  WAYMARK_ADVERSARY_APPS: '1',
  WAYMARK_ADVERSARY_REQUESTS: '2000',
}

const retried = join(root, 'scripts/testing/retriedReporter.ts')

/** The stages of `npm test`, in their order; extra ones run by name only. @type {readonly Stage[]} */
export const stages = [
  { name: 'types', title: 'Types', run: checkTypes },
  { name: 'lint', title: 'Lint and format', run: lint },
  { name: 'unit', title: 'Unit and architecture tests', run: () => vitest('unit', []) },
  { name: 'e2e', title: 'End-to-end tests', run: () => vitest('e2e', endToEnd) },
  ...otherNodes().map((major) => ({
    name: `node${major}`,
    title: `A selection on Node ${major}`,
    run: () => testOnNode(major),
  })),
  {
    name: 'e2e-all',
    title: 'End-to-end tests, all in both modes',
    run: testAllModes,
    isExtra: true,
  },
]

/** Every folder with a `tsconfig.json` is a program of its own. */
function typeScriptProjects() {
  const examples = join(root, 'examples')
  const folders = ['.', 'scripts', 'site', 'e2e/fixtures', 'bench']
  if (existsSync(examples)) folders.push(...readdirSync(examples).map((name) => `examples/${name}`))
  return folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
}

async function checkTypes() {
  const projects = typeScriptProjects().map((folder) => () => checkProject(folder))
  const checks = [checkDeclarations, ...projects].values()
  // Two at once: one alone leaves a core idle while it starts, and while it writes route types.
  const lanes = [1, 2].map(async () => {
    let ok = true
    for (const check of checks) ok = (await check()) && ok
    return ok
  })
  const ok = (await Promise.all(lanes)).every(Boolean)
  return { name: 'types', ok, totals: null }
}

/** @param {string} folder */
async function checkProject(folder) {
  const isWritten = await writeRouteTypes(folder)
  const args = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder]
  const { exitCode } = await run(process.execPath, args, { cwd: root })
  return isWritten && exitCode === 0
}

/**
 * Checks the declaration files of the framework, too: with `skipLibCheck`, an import in one of them that
 * resolves to nothing is `any`.
 */
async function checkDeclarations() {
  const project = ['-p', 'packages/waymark/tsconfig.build.json', '--skipLibCheck', 'false']
  const args = ['node_modules/typescript/bin/tsc', '--noEmit', ...project]
  const { exitCode } = await run(process.execPath, args, { cwd: root })
  return exitCode === 0
}

/**
 * The declarations of an app's routes are not in the repository.
 * @param {string} folder
 */
async function writeRouteTypes(folder) {
  if (!existsSync(join(root, folder, 'app'))) return true
  const args = [join(root, 'packages/waymark/bin/waymark.js'), 'types']
  const { exitCode } = await run(process.execPath, args, { cwd: join(root, folder), quiet: true })
  return exitCode === 0
}

async function lint() {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
  const code = await run(process.execPath, biome, { cwd: root })
  const workflows = await run(process.execPath, ['scripts/workflows/check.mjs'], { cwd: root })
  return { name: 'lint', ok: code.exitCode === 0 && workflows.exitCode === 0, totals: null }
}

function testAllModes() {
  const env = { ...process.env, WAYMARK_E2E_ALL: '1' }
  return vitest('e2e-all', endToEnd, { program: process.execPath, env })
}

/**
 * @param {number} major
 * @returns {Promise<StageResult>}
 */
async function testOnNode(major) {
  const name = `node${major}`
  const program = await installNode(major)
  if (program === null) return { name, ok: false, totals: null }
  return vitest(name, [...endToEnd, ...selected], {
    program,
    env: { ...process.env, ...selection },
  })
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ program: string, env: NodeJS.ProcessEnv }} node which one runs the tests and what they start
 * @returns {Promise<StageResult>}
 */
async function vitest(name, args, node = { program: process.execPath, env: process.env }) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'))
  const report = join(folder, 'report.json')
  const reporters = ['default', 'json', retried].map((reporter) => `--reporter=${reporter}`)
  const output = `--outputFile.json=${report}`
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters, output]
  const { exitCode } = await run(node.program, command, { cwd: root, env: node.env })
  const json = existsSync(report) ? readFileSync(report, 'utf8') : null
  rmSync(folder, { recursive: true, force: true })
  const results = json === null ? { totals: null } : parseReport(json)
  return { name, ok: exitCode === 0, ...results }
}
