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
const { window } = new JSDOM('<div id="updated"></div><div id="hydrated"><p>Hello</p></div>')
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, createElement, useState } = require('react')
const { createRoot, hydrateRoot } = require('react-dom/client')

/** Translates a text as browsers do: two elements replace it. */
function translate(text) {
  const font = document.createElement('font')
  font.append(document.createElement('font'))
  font.firstChild.append(`«${text.nodeValue}»`)
  text.replaceWith(font)
}

let setShown
function Part() {
  const [isShown, set] = useState(true)
  setShown = set
  return createElement('p', null, isShown && 'Hello', createElement('b', null, 'there'))
}
const updated = document.getElementById('updated')
const root = createRoot(updated)
await act(() => root.render(createElement(Part)))
translate(updated.querySelector('p').firstChild)
try {
  await act(async () => setShown(false))
} catch (error) {
  console.log('error in the update:', String(error))
}
console.log('the page:', JSON.stringify(updated.innerHTML))

const hydrated = document.getElementById('hydrated')
translate(hydrated.querySelector('p').firstChild)
const onRecoverableError = (error) =>
  console.log('error in hydration:', String(error).split('\n')[0])
await act(() => {
  hydrateRoot(hydrated, createElement('p', null, 'Hello'), { onRecoverableError })
})
console.log('the page:', JSON.stringify(hydrated.innerHTML))
const isBlank = updated.querySelector('b') === null
const isTranslated = hydrated.querySelector('font') !== null
console.log(isBlank || !isTranslated ? 'reproduced' : 'not reproduced')
