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

process.env.NODE_ENV = 'production'
const { JSDOM } = require('jsdom')
const { window } = new JSDOM('<div id="root"></div>')
Object.assign(globalThis, { window, document: window.document })
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { Activity, createElement, startTransition } = require('react')
const { hydrateRoot } = require('react-dom/client')

let renders = 0
function Page() {
  renders += 1
  return createElement(Activity, null, createElement('p', null, 'text'))
}
const root = document.getElementById('root')
root.innerHTML = '<p>text</p>' // renderToString gives <!--&--><p>text</p><!--/&-->

// In a transition, React yields. Without a transition, hydrateRoot blocks the process, and the script can't end.
startTransition(() => {
  hydrateRoot(root, createElement(Page), {
    onRecoverableError: (error) => console.log('reported:', String(error)),
  })
})
await new Promise((resolve) => setTimeout(resolve, 1_000))
console.log(`after a second, Page was rendered ${renders} times`)
console.log(renders > 100 ? 'reproduced' : 'not reproduced')
process.exit(0)
