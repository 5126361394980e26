// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '19.3.1'
const packages = `react@${version} react-dom@${version}`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const { createElement, Suspense, use } = require('react')
const { prerenderToNodeStream } = require('react-dom/static')

const pending = new Promise(() => {})
const Pending = () => use(pending)
const page = createElement(
  'html',
  null,
  createElement(
    'body',
    null,
    createElement(Suspense, { fallback: 'loading' }, createElement(Pending)),
  ),
)
const abort = new AbortController()
setTimeout(() => abort.abort())
const { prelude } = await prerenderToNodeStream(page, {
  nonce: 'a-nonce',
  signal: abort.signal,
  onError() {},
})
let html = ''
for await (const chunk of prelude) html += chunk
const scripts = html.match(/<script[^>]*>/g)
console.log(scripts.join('\n'))
const haveNonce = scripts.every((tag) => tag.includes('nonce="a-nonce"'))
console.log(haveNonce ? 'not reproduced' : 'reproduced')
