// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of Vite.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '8.3.8'
const packages = `vite@${version}`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const vite = require('vite')

console.log('DevEnvironment:', typeof vite.DevEnvironment)
console.log('RunnableDevEnvironment:', typeof vite.RunnableDevEnvironment)

// A framework can extend only `DevEnvironment`, and its instances are not runnable.
class LoggingEnvironment extends vite.DevEnvironment {
  fetchModule(...args) {
    console.log('fetching', args[0])
    return super.fetchModule(...args)
  }
}
const server = await vite.createServer({
  root: folder,
  configFile: false,
  server: { ws: false, middlewareMode: true },
  environments: {
    custom: {
      dev: {
        createEnvironment: (name, config) =>
          new LoggingEnvironment(name, config, {
            hot: true,
            transport: vite.createServerHotChannel(),
          }),
      },
    },
  },
})
const isRunnable = vite.isRunnableDevEnvironment(server.environments.custom)
console.log('an environment of that class is runnable:', isRunnable)
await server.close()
const canBeExtended = typeof vite.RunnableDevEnvironment === 'function'
console.log(canBeExtended ? 'not reproduced' : 'reproduced')
