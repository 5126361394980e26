// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '19.3.1'
const packages = `react@${version} react-dom@${version} jsdom@26.1.0`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const { JSDOM } = require('jsdom')
const { window } = new JSDOM('<div id="root"></div>')
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, createElement, useState } = require('react')
const { hydrateRoot } = require('react-dom/client')
const { renderToString } = require('react-dom/server')

const handled = []
function Search() {
  const [value, setValue] = useState('')
  const onChange = ({ target }) => {
    handled.push(target.value)
    setValue(target.value)
  }
  return createElement('input', { value, onChange })
}
const root = document.getElementById('root')
root.innerHTML = renderToString(createElement(Search))
const field = root.querySelector('input')

/** Changes the field as a browser does when somebody types. */
function type(text) {
  const { set } = Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, 'value')
  set.call(field, text)
  field.dispatchEvent(new window.Event('input', { bubbles: true }))
}

type('typed before hydration')
await act(() => {
  hydrateRoot(root, createElement(Search))
})
console.log('hydrated: the field shows', JSON.stringify(field.value), 'onChange got', handled)
// React compares the field with its stored value, which is the same, so it sees no change.
await act(() => {
  field.dispatchEvent(new window.Event('input', { bubbles: true }))
})
console.log('after an event: the field shows', JSON.stringify(field.value), 'onChange got', handled)
console.log(handled.length === 0 ? 'reproduced' : 'not reproduced')
