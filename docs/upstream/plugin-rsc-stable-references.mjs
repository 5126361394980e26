// npm install vite@8.3.8 @vitejs/plugin-rsc@0.5.38 react@19.3.1 react-dom@19.3.1
// node plugin-rsc-stable-references.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import rsc, { getPluginApi } from '@vitejs/plugin-rsc'
import { createBuilder } from 'vite'

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

/** Builds the app with its packages beside it or above it, on a machine that reads one file slowly. */
async function build({ packages, slowFile }) {
  const folder = mkdtempSync(path.join(import.meta.dirname, 'app-'))
  const root = path.join(folder, 'app')
  const modules = path.join(folder, packages)
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
  rmSync(folder, { recursive: true })
  return {
    clients: Object.values(manager.clientReferenceMetaMap).map((meta) => meta.referenceKey),
    actions: [...manager.serverReferences.metaMap.values()].flatMap((meta) => meta.exportNames),
  }
}

const one = await build({ packages: 'app/node_modules', slowFile: 'first.js' })
const other = await build({ packages: 'node_modules', slowFile: 'second.js' })
console.log('one machine:  ', JSON.stringify(one))
console.log('other machine:', JSON.stringify(other))
process.exit(JSON.stringify(one) === JSON.stringify(other) ? 0 : 1)
