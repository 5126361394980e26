// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of plugin-rsc.
import { execSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

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

const { default: rsc, getPluginApi } = require('@vitejs/plugin-rsc')
const { createBuilder } = require('vite')

const files = {
  'client.js': "import '@vitejs/plugin-rsc/browser'",
  'ssr.js': "export * from '@vitejs/plugin-rsc/ssr'",
  'rsc.js': `import { Button } from 'button'
import { first } from './first.js'
import { second } from './second.js'
export * from '@vitejs/plugin-rsc/rsc'
export const all = [Button, first, second]`,
  'first.js': "'use server'\nexport async function first() {}",
  'second.js': "'use server'\nexport async function second() {}",
}
const button = {
  'package.json': '{ "name": "button", "type": "module", "exports": "./index.js" }',
  'index.js': "export { Button } from './button.js'",
  'button.js': "'use client'\nexport const Button = () => null",
}

/** Builds the app with its packages in it or above it, on a machine that reads one file slowly. */
async function build({ packages, slowFile }) {
  const machine = mkdtempSync(path.join(folder, 'machine-'))
  const root = path.join(machine, 'app')
  const modules = path.join(machine, packages)
  mkdirSync(root)
  mkdirSync(path.join(modules, 'button'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text)
  for (const [name, text] of Object.entries(button)) {
    writeFileSync(path.join(modules, 'button', name), text)
  }
  const readSlowly = {
    name: 'read-slowly',
    load: (id) => (id.endsWith(slowFile) ? sleep(500) : null),
  }
  const entries = { client: './client.js', ssr: './ssr.js', rsc: './rsc.js' }
  const builder = await createBuilder({
    configFile: false,
    logLevel: 'error',
    root,
    environments: { rsc: { resolve: { noExternal: true } } },
    plugins: [readSlowly, rsc({ entries })],
  })
  await builder.buildApp()
  const { manager } = getPluginApi(builder.config)
  return {
    clients: Object.values(manager.clientReferenceMetaMap).map((meta) => meta.referenceKey),
    actions: [...manager.serverReferences.metaMap.values()].flatMap((meta) => meta.exportNames),
  }
}

const one = JSON.stringify(await build({ packages: 'app/node_modules', slowFile: 'first.js' }))
const other = JSON.stringify(await build({ packages: 'node_modules', slowFile: 'second.js' }))
console.log('one machine:  ', one)
console.log('other machine:', other)
console.log(one === other ? 'not reproduced' : 'reproduced')
