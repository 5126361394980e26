// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

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

// Only a process with the condition `react-server` can write a payload.
const write = `
  globalThis.__webpack_require__ = {}
  const { renderToPipeableStream } = require('react-server-dom-webpack/server.node')
  renderToPipeableStream({ text: 'é'.repeat(2_000), short: 'abc' }, {}).pipe(process.stdout)`
const args = ['--conditions=react-server', '--eval', write]
const { stdout: bytes } = spawnSync(process.execPath, args, { cwd: folder })

globalThis.__webpack_require__ = {}
const { createFromNodeStream } = require('react-server-dom-webpack/client.node')

/** Decodes a payload. @returns the length of its string, or the error */
async function decode(payload) {
  const manifest = { moduleMap: null, serverModuleMap: null, moduleLoading: null }
  const stream = Readable.from([payload], { objectMode: true })
  try {
    return (await createFromNodeStream(stream, manifest)).text.length
  } catch (error) {
    return error
  }
}
const fromBytes = await decode(bytes)
const fromText = await decode(bytes.toString())
console.log('length of the string, from bytes:', String(fromBytes))
console.log('length of the string, from text: ', String(fromText))
if (fromBytes !== 2_000) throw new Error('The payload could not be decoded from bytes.')
console.log(fromText === fromBytes ? 'not reproduced' : 'reproduced')
