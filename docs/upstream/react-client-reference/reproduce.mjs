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

globalThis.__webpack_require__ = {}
const server = require('react-server-dom-webpack/server.node')

const Component = server.registerClientReference(() => null, '/component.js', 'Component')
const names = Object.keys(server).filter((name) => /reference/i.test(name))
console.log('exported:', names.join(', '))
console.log('the properties of a reference:', Component.$$typeof, Component.$$id)
console.log(names.includes('isClientReference') ? 'not reproduced' : 'reproduced')
