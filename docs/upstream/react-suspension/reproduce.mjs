// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Restart Node with the condition that React's server modules need.
if (!process.execArgv.includes('--conditions=react-server')) {
  const args = ['--conditions=react-server', ...process.argv.slice(1)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status)
}

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

const React = require('react')
globalThis.__webpack_require__ = {}
const { renderToPipeableStream } = require('react-server-dom-webpack/server.node')

/** Calls a component and reports how it ends, like a framework whose layouts guard their content. */
function observed(component) {
  return function Observed() {
    try {
      return component()
    } catch (thrown) {
      console.log('caught:', thrown.constructor.name, JSON.stringify(thrown.message.slice(0, 48)))
      throw thrown
    }
  }
}
const timer = new Promise((resolve) => setTimeout(resolve, 10))
const Suspended = observed(() => React.use(timer) ?? null)
const Failed = observed(() => {
  throw new Error('You have no access to this page.')
})
for (const component of [Suspended, Failed]) {
  renderToPipeableStream(React.createElement(component), {}, { onError() {} })
}
await timer
const names = Object.keys(React).filter((name) => /suspension|interrupt/i.test(name))
console.log('functions of React that tell one from the other:', names.join(', ') || 'none')
console.log(names.length > 0 ? 'not reproduced' : 'reproduced')
