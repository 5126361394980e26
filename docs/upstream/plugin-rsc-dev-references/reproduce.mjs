// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of plugin-rsc.
import { AsyncLocalStorage } from 'node:async_hooks'
import { execSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Restart Node so that the script can run the garbage collector.
if (!process.execArgv.includes('--expose-gc')) {
  const args = ['--expose-gc', ...process.argv.slice(1)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status)
}

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

const { setRequireModule } = require('@vitejs/plugin-rsc/core/ssr')

const currentRequest = new AsyncLocalStorage()
let released = 0
const registry = new FinalizationRegistry(() => released++)
setRequireModule({ load: async (id) => ({ id }) })

const requests = 1_000
for (let index = 0; index < requests; index++) {
  const request = { body: new Uint8Array(10_000) }
  registry.register(request)
  // In development, createClientManifest() gives each render another tag, so each id is used once.
  const id = `/button.tsx$$cache=${Math.random().toString(36).slice(2)}`
  await currentRequest.run(request, () => globalThis.__vite_rsc_require__(id))
}
for (let round = 0; round < 5; round++) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  globalThis.gc()
}
console.log(`of ${requests} requests, ${released} were released`)
// Engines may keep the last few objects alive, and a bounded cache may keep some.
console.log(released < requests / 2 ? 'reproduced' : 'not reproduced')
