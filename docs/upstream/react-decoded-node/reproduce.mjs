// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
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

globalThis.__webpack_require__ = {}
const { createFromNodeStream } = require('react-server-dom-webpack/client.node')

// One of two children has arrived. The stream stays open.
const stream = new Readable({ read() {} })
stream.push(
  '0:["$","main",null,{"children":["$L1","$L2"]}]\n1:["$","p",null,{"children":"text"}]\n',
)
const page = await createFromNodeStream(stream, {
  moduleMap: null,
  serverModuleMap: null,
  moduleLoading: null,
})
const [arrived, pending] = page.props.children
console.log('arrived:', Object.keys(arrived).join(', '))
console.log('pending:', Object.keys(pending).join(', '))
for (const node of [arrived, pending]) {
  try {
    console.log('by private fields: arrived,', node._init(node._payload).type)
  } catch (thrown) {
    console.log('by private fields: pending,', typeof thrown.then)
  }
}
const hasStatus = pending.status === 'pending' && arrived.status === 'fulfilled'
console.log(hasStatus ? 'not reproduced' : 'reproduced')
