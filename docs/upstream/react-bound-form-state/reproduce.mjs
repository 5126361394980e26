// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '19.3.1'
const packages = `react@${version} react-dom@${version} react-server-dom-webpack@${version}`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const { createElement, useActionState } = require('react')
const { renderToPipeableStream } = require('react-dom/server')
globalThis.__webpack_require__ = {}
const { createServerReference } = require('react-server-dom-webpack/client.node')
const save = createServerReference('file#save')

let renders = 0
function Form() {
  if (++renders === 2_000) {
    console.log(`Form was rendered ${renders} times. A timer has fired: ${timerHasFired}`)
    console.log('reproduced')
    process.exit(0)
  }
  const [state, submit] = useActionState(save.bind(null, 'an id'), null)
  return createElement('form', { action: submit }, String(state))
}

let timerHasFired = false
setTimeout(() => {
  timerHasFired = true
})
// The result of `decodeFormState` for a POST of this form: value, key, action, number of bound arguments.
const formState = ['the state', 'key', 'file#save', 1]
renderToPipeableStream(createElement(Form), {
  formState,
  onAllReady() {
    console.log(`Form was rendered ${renders} times.`)
    console.log('not reproduced')
  },
})
