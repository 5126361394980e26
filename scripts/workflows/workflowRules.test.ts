import { expect, test } from 'vitest'
import { workflowViolations } from './workflowRules.mjs'

const commit = '3d3c42e5aac5ba805825da76410c181273ba90b1'
const checkout = `actions/checkout@${commit} # v7.0.1`

const workflow = `name: Example
on: pull_request
permissions:
  contents: read
concurrency: example
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
      - uses: ./.github/actions/setup
      - run: npm run build
      - run: npm test -- unit e2e
`

function find(text: string): string[] {
  return workflowViolations(text, 'a.yml', { scripts: ['build'], stages: ['unit', 'e2e'] })
}

test('a workflow that follows the rules has no findings', () => {
  expect(find(workflow)).toEqual([])
})

test.each([
  [
    'a permission for all jobs',
    'contents: read',
    'contents: write',
    'the workflow may do more than read contents. Grant the permission to a single job.',
  ],
  ['no concurrency', 'concurrency: example\n', '', 'the workflow has no concurrency group'],
  ['no time limit', '    timeout-minutes: 10\n', '', 'the job test has no timeout-minutes'],
  [
    'secrets for the code of strangers',
    'on: pull_request',
    'on: { pull_request_target: { branches: [main] } }',
    'pull_request_target gives secrets to the code of strangers',
  ],
  [
    'an action by its tag',
    checkout,
    'actions/checkout@v7',
    'actions/checkout@v7 is not pinned as owner/name@commit # v1.2.3',
  ],
  [
    'a commit without its version',
    checkout,
    `actions/checkout@${commit}`,
    `actions/checkout@${commit} is not pinned as owner/name@commit # v1.2.3`,
  ],
  [
    'a token that stays',
    'persist-credentials: false',
    'fetch-depth: 0',
    'actions/checkout leaves its token in .git/config. Set persist-credentials: false.',
  ],
  [
    'a script that does not exist',
    'npm run build',
    'npm run make',
    'package.json has no script make',
  ],
  ['a stage that does not exist', 'unit e2e', 'unit slow', 'npm test has no stage slow'],
])('%s is found', (_, text, replacement, violation) => {
  expect(find(workflow.replace(text, replacement))).toEqual([`a.yml: ${violation}`])
})
