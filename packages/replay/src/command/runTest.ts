import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { replayCookiesVariable } from '../writtenTest/replayCookies.ts'

/** The result of running a test. */
export type TestRun =
  | { readonly kind: 'green' }
  /** An assertion failed. */
  | { readonly kind: 'red'; readonly reason: string }
  /** The test ended before its assertions ran, or didn't end at all. */
  | { readonly kind: 'not run'; readonly reason: string }

// Time limit for a test run, including the time to build the app.
const runWithinMs = 5 * 60_000

/**
 * Runs one test file of an app with the app's own Vitest.
 * @param cookies cookies that the request needs, which aren't written into the file
 */
export async function runTest(
  root: string,
  file: string,
  cookies: Readonly<Record<string, string>>,
): Promise<TestRun> {
  const vitest = findVitest(root)
  if (vitest === null) {
    return {
      kind: 'not run',
      reason: 'Vitest is not installed. Install vitest as a dev dependency.',
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'waymark-replay-'))
  const report = join(folder, 'report.json')
  try {
    const args = ['run', file, '--root', root, '--reporter=json', `--outputFile=${report}`]
    const output = await runProgram([vitest, ...args], { root, env: environment(cookies) })
    return readReport(report, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findVitest(root: string): string | null {
  try {
    const { resolve } = createRequire(join(root, 'package.json'))
    return join(dirname(resolve('vitest/package.json')), 'vitest.mjs')
  } catch {
    return null
  }
}

function environment(cookies: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // Leave out the variables that a test runner has set for this process.
  const { NODE_ENV: _, NODE_OPTIONS: __, VITEST: ___, ...env } = process.env
  const text = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return {
    ...env,
    ...(text.length > 0 && { [replayCookiesVariable]: text.join('; ') }),
  }
}

/** @returns the end of the output */
function runProgram(
  args: readonly string[],
  { root, env }: { readonly root: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: root, env, timeout: runWithinMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000)
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

type VitestReport = {
  readonly testResults?: readonly {
    readonly message?: string
    readonly assertionResults?: readonly {
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

function readReport(path: string, output: string): TestRun {
  let report: VitestReport
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  } catch {
    return { kind: 'not run', reason: lastLine(output) || 'Vitest wrote no report.' }
  }
  return judgeReport(report, output)
}

/** @param output output of the run, used if the report contains no reason */
export function judgeReport({ testResults = [] }: VitestReport, output = ''): TestRun {
  const tests = testResults.flatMap(({ assertionResults = [] }) => assertionResults)
  const failures = tests.flatMap(({ failureMessages = [] }) => failureMessages)
  const [failure] = failures
  if (failure !== undefined) {
    const isExpectation = failure.startsWith('AssertionError')
    return { kind: isExpectation ? 'red' : 'not run', reason: firstLine(failure) }
  }
  if (tests.length > 0 && tests.every(({ status }) => status === 'passed')) return { kind: 'green' }
  const message = testResults.map((each) => each.message ?? '').find((each) => each !== '')
  const reason = message === undefined ? lastLine(output) : firstLine(message)
  return { kind: 'not run', reason: reason || 'Vitest found no test in the file.' }
}

function firstLine(text: string): string {
  return (linesOf(text)[0] ?? '').slice(0, 300)
}

function lastLine(text: string): string {
  return (linesOf(text).at(-1) ?? '').slice(0, 300)
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
