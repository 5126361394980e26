// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

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

const { createElement } = require('react')
const { renderToPipeableStream } = require('react-dom/server')
globalThis.__webpack_require__ = {}
const { createServerReference } = require('react-server-dom-webpack/client.node')

let calls = 0
/** Adds a field to each form of a server function. */
function encodeFormAction() {
  calls += 1
  const data = new FormData()
  data.append('idempotency-key', 'a key')
  return { name: 'action', method: 'POST', encType: 'multipart/form-data', data }
}
// A framework compiles the import of a server function to this call.
const save = createServerReference('file#save', () => {}, encodeFormAction)
const form = createElement('form', { action: save.bind(null, 7) })
const html = await new Promise((resolve) => {
  const { pipe } = renderToPipeableStream(form, {
    onAllReady: () => resolve(text(pipe(new PassThrough()))),
  })
})
console.log(html)
console.log('encodeFormAction was called:', calls > 0)
console.log(calls > 0 ? 'not reproduced' : 'reproduced')
