import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../workspace/paths.mjs'
import { run } from '../workspace/run.mjs'
import { parseReport } from './totals.mjs'

/**
 * @typedef {import('./totals.mjs').StageResult} StageResult
 * @typedef {{ name: string, title: string, run: () => Promise<StageResult> }} Stage
 */

const retried = join(root, 'scripts/testing/retriedReporter.ts')

/** The stages of `npm test`, in their order. @type {readonly Stage[]} */
export const stages = [
  { name: 'types', title: 'Types', run: checkTypes },
  { name: 'lint', title: 'Lint and format', run: lint },
  { name: 'unit', title: 'Unit and architecture tests', run: () => vitest('unit', []) },
  {
    name: 'e2e',
    title: 'End-to-end tests',
    run: () => vitest('e2e', ['--config', 'e2e/vitest.config.ts']),
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
  let ok = await checkDeclarations()
  for (const folder of typeScriptProjects()) {
    const isWritten = await writeRouteTypes(folder)
    const args = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder]
    const { exitCode } = await run(process.execPath, args, { cwd: root })
    ok &&= isWritten && exitCode === 0
  }
  return { name: 'types', ok, totals: null }
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
  const args = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
  const { exitCode } = await run(process.execPath, args, { cwd: root })
  return { name: 'lint', ok: exitCode === 0, totals: null }
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
async function vitest(name, args) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'))
  const report = join(folder, 'report.json')
  const reporters = ['default', 'json', retried].map((reporter) => `--reporter=${reporter}`)
  const output = `--outputFile.json=${report}`
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters, output]
  const { exitCode } = await run(process.execPath, command, { cwd: root })
  const json = existsSync(report) ? readFileSync(report, 'utf8') : null
  rmSync(folder, { recursive: true, force: true })
  const told = json === null ? { totals: null } : parseReport(json)
  return { name, ok: exitCode === 0, ...told }
}
