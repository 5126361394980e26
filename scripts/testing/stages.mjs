import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installNode, otherNodes } from '../workspace/nodeVersions.mjs'
import { root } from '../workspace/paths.mjs'
import { run } from '../workspace/run.mjs'
import { casesNotRun, quickPattern, quickSpecs } from './quickCases.mjs'
import { parseReport } from './totals.mjs'

/**
 * @typedef {import('./totals.mjs').StageResult} StageResult
 * @typedef {{ name: string, title: string, run: () => Promise<StageResult> }} Stage
 */

const endToEnd = ['--config', 'e2e/vitest.config.ts']
const retriedReporter = join(root, 'scripts/testing/retriedReporter.ts')

// The selected specs build apps, start both servers and open pages in a browser. The adversary sends
// 400 requests, to one of its five apps.
const selected = ['core', 'health', 'adversary'].map((name) => `e2e/${name}.test.ts`)
const selection = {
  REACT_VERSIONS: '',
  WAYMARK_ADVERSARY_APPS: '1',
  WAYMARK_ADVERSARY_REQUESTS: '2000',
}

/** @type {readonly Stage[]} */
export const stages = [
  { name: 'types', title: 'Types', run: checkTypes },
  { name: 'lint', title: 'Lint and format', run: lint },
  { name: 'unit', title: 'Unit and architecture tests', run: () => vitest('unit', []) },
  {
    name: 'unit-quick',
    title: 'Unit and architecture tests without fuzzing',
    run: testUnitsQuickly,
  },
  { name: 'e2e', title: 'End-to-end tests', run: () => vitest('e2e', endToEnd) },
  { name: 'e2e-quick', title: 'A selection of the end-to-end tests', run: testQuickCases },
  ...otherNodes().map((major) => ({
    name: `node${major}`,
    title: `A selection on Node ${major}`,
    run: () => testOnNode(major),
  })),
  { name: 'e2e-all', title: 'All end-to-end tests in both modes', run: testAllModes },
]

const nodes = otherNodes().map((major) => `node${major}`)

/**
 * Names for several stages. `npm test` without a name runs `whole`. A pull request runs `quick`
 * first.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
export const runs = new Map([
  ['quick', ['types', 'lint', 'unit-quick', 'e2e-quick']],
  ['whole', ['types', 'lint', 'unit', 'e2e', ...nodes]],
])

/**
 * Selects stages by the arguments of the command line.
 * @param {readonly string[]} names names of stages and of groups; an empty list means `whole`
 * @returns {{ chosen: readonly Stage[], unknown: readonly string[] }} the selected stages, in their
 *   order, and unknown names
 */
export function chooseStages(names) {
  const wanted = (names.length > 0 ? names : ['whole']).flatMap((name) => runs.get(name) ?? [name])
  const chosen = stages.filter(({ name }) => wanted.includes(name))
  const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name))
  return { chosen, unknown }
}

/** Lists the folders with a `tsconfig.json`. Each of these folders is a separate program. */
function typeScriptProjects() {
  const examples = join(root, 'examples')
  const folders = ['.', 'scripts', 'site', 'e2e/fixtures']
  if (existsSync(examples)) folders.push(...readdirSync(examples).map((name) => `examples/${name}`))
  return folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
}

async function checkTypes() {
  const projects = typeScriptProjects().map((folder) => () => checkProject(folder))
  const checks = [checkDeclarations, ...projects].values()
  // Run two checks at the same time, because a single check leaves a core idle while it starts and
  // while it writes route types.
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
 * Type-checks the framework's declaration files. With `skipLibCheck`, an import of a missing module
 * in these files would silently become `any`.
 */
async function checkDeclarations() {
  const project = ['-p', 'packages/waymark/tsconfig.build.json', '--skipLibCheck', 'false']
  const args = ['node_modules/typescript/bin/tsc', '--noEmit', ...project]
  const { exitCode } = await run(process.execPath, args, { cwd: root })
  return exitCode === 0
}

/**
 * Writes the declarations of an app's routes, which are not in the repository.
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
  const prose = await run(process.execPath, ['scripts/prose.mjs'], { cwd: root })
  const checks = {
    'biome check': code,
    'scripts/workflows/check.mjs': workflows,
    'npm run prose': prose,
  }
  const failures = Object.entries(checks)
    .filter(([, { exitCode }]) => exitCode !== 0)
    .map(([name]) => name)
  return { name: 'lint', ok: failures.length === 0, totals: null, failures }
}

// `TREES` is for the unit tests of `@waymark/speedups`, which compare its row writer with React's
// on 500 random trees by default.
async function testUnitsQuickly() {
  const trees = '20'
  const result = await vitest('unit-quick', [], withEnv({ TREES: trees }))
  return { ...result, leftOut: [`the fuzzing in unit tests, except for ${trees} trees`] }
}

async function testQuickCases() {
  // Pass absolute paths, because Vitest would also run `customTheme.test.ts` for `theme.test.ts`.
  const files = quickSpecs.map((file) => join(root, file))
  const args = [...endToEnd, ...files, '-t', quickPattern]
  const { json, exitCode } = await runVitest(args)
  if (json === null) return { name: 'e2e-quick', ok: false, totals: null }
  const { totals, failures } = parseReport(json)
  const notRun = casesNotRun(json)
  const specs = readdirSync(join(root, 'e2e')).filter((file) => file.endsWith('.test.ts'))
  return {
    name: 'e2e-quick',
    ok: exitCode === 0 && notRun.length === 0,
    totals: { ...totals, skipped: 0 },
    failures: [...failures, ...notRun.map((name) => `${name}\n    This case did not run.`)],
    leftOut: [
      `${specs.length - quickSpecs.length} of ${specs.length} end-to-end specs`,
      `${totals.skipped} other tests of the ${quickSpecs.length}`,
      ...otherNodes().map((major) => `the selection on Node ${major}`),
    ],
  }
}

function testAllModes() {
  return vitest('e2e-all', endToEnd, withEnv({ WAYMARK_E2E_ALL: '1' }))
}

/** @param {Readonly<Record<string, string>>} variables */
function withEnv(variables) {
  return { program: process.execPath, env: { ...process.env, ...variables } }
}

/**
 * @param {number} major
 * @returns {Promise<StageResult>}
 */
async function testOnNode(major) {
  const name = `node${major}`
  const program = await installNode(major)
  if (program === null) return { name, ok: false, totals: null }
  const { env } = withEnv(selection)
  return vitest(name, [...endToEnd, ...selected], { program, env })
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ program: string, env: NodeJS.ProcessEnv }} [node]
 * @returns {Promise<StageResult>}
 */
async function vitest(name, args, node) {
  const { exitCode, json } = await runVitest(args, node)
  const report = json === null ? { totals: null } : parseReport(json)
  return { name, ok: exitCode === 0, ...report }
}

/**
 * @param {readonly string[]} args
 * @param {{ program: string, env: NodeJS.ProcessEnv }} [node] the version of Node that runs the
 * tests and the processes that they start
 * @returns {Promise<{ exitCode: number, json: string | null }>} the output of the JSON reporter, or
 * `null` if it wrote nothing
 */
async function runVitest(args, node = withEnv({})) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'))
  const report = join(folder, 'report.json')
  // Reporters on the command line replace the configured ones. So name the reporter that lists
  // retried tests here, too.
  const reporters = ['default', 'json', retriedReporter].map((name) => `--reporter=${name}`)
  const output = [...reporters, `--outputFile.json=${report}`]
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...output]
  const { exitCode } = await run(node.program, command, { cwd: root, env: node.env })
  const json = existsSync(report) ? readFileSync(report, 'utf8') : null
  rmSync(folder, { recursive: true, force: true })
  return { exitCode, json }
}
