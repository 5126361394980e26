// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of plugin-rsc.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '0.5.38'
const packages = `@vitejs/plugin-rsc@${version} vite@8.3.8 react@19.3.1 react-dom@19.3.1`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const { default: rsc } = require('@vitejs/plugin-rsc')
const { createServer } = require('vite')

const createKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

/** Starts a server. @returns its functions that encrypt and decrypt the bound arguments of actions */
async function startServer(keys) {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    environments: { client: {}, ssr: {}, rsc: {} },
    plugins: [rsc({ serverHandler: false, defineEncryptionKey: JSON.stringify(keys) })],
  })
  const runtime = '@vitejs/plugin-rsc/utils/encryption-runtime'
  return { server, ...(await server.environments.rsc.runner.import(runtime)) }
}

/** Decrypts the arguments that an open page sends. @returns the arguments, or the error */
async function decrypt({ decryptActionBoundArgs }, page) {
  try {
    return await decryptActionBoundArgs(page, 'action')
  } catch (error) {
    return error
  }
}

const previousKey = createKey()
const nextKey = createKey()
const before = await startServer(previousKey)
const page = await before.encryptActionBoundArgs(['order 17'], 'action')
console.log('the server that rendered the page:', await decrypt(before, page))

// Somebody rotates the key while a page is open. Then the user submits the form of that page.
const after = await startServer(nextKey)
console.log('a server with the next key:', String(await decrypt(after, page)))
const both = await startServer([nextKey, previousKey])
const outcome = await decrypt(both, page)
console.log('a server with a list of both keys:', String(outcome))

await Promise.all([before, after, both].map(({ server }) => server.close()))
console.log(outcome instanceof Error ? 'reproduced' : 'not reproduced')
process.exit(0)
