import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { addonError, createNativePackages, isNativePackage } from './nativePackages.ts'

test.each([
  ['better-sqlite3', { gypfile: true }],
  ['better-sqlite3', { dependencies: { bindings: '^1.5.0' } }],
  ['sharp', { optionalDependencies: { '@img/sharp-linux-x64': '0.34.0' } }],
  ['@node-rs/argon2', { napi: { binaryName: 'argon2' } }],
  ['bcrypt', { dependencies: { 'node-gyp-build': '^4' } }],
  ['sqlite3', { binary: { napi_versions: [6] }, scripts: { install: 'prebuild-install' } }],
  ['own', { main: './build/Release/own.node' }],
  ['@prisma/client', {}],
])('%s with %o contains native code', (name, manifest) => {
  expect(isNativePackage(name, manifest)).toBe(true)
})

test.each([
  ['react', { main: 'index.js' }],
  ['drizzle-orm', { dependencies: {}, optionalDependencies: { mysql2: '^3' } }],
  ['date-fns', { scripts: { install: 'true' } }],
])("%s with %o doesn't contain native code", (name, manifest) => {
  expect(isNativePackage(name, manifest)).toBe(false)
})

test.each([
  ['/app/node_modules/addon/lib/index.js', "ssr: { external: ['addon'] }"],
  ['/app/node_modules/a/node_modules/@scope/addon/index.js', "ssr: { external: ['@scope/addon'] }"],
  ['/app/lib/load.ts', 'Import it from a package instead'],
])('an addon imported by %s is refused with the name of its package', (importer, fix) => {
  expect(addonError('./build/addon.node', importer).message).toContain(fix)
})

test.each([
  ['stays outside of the bundle', [], ['kit']],
  ["isn't used, if Vite deduplicates the package", ['kit'], []],
])("a package's own copy with native code %s", async (_, dedupe, expected) => {
  const files = {
    'page.js': "import 'user'",
    'node_modules/user/package.json': '{ "name": "user" }',
    'node_modules/user/index.js': "import { text } from 'kit'\nconsole.log(text)",
    'node_modules/user/node_modules/kit/package.json': '{ "name": "kit", "gypfile": true }',
    'node_modules/user/node_modules/kit/index.js': "export const text = 'native'",
    'node_modules/kit/package.json': '{ "name": "kit" }',
    'node_modules/kit/index.js': "export const text = 'of the app'",
  }
  const { packages, code } = await bundle(files, dedupe)
  expect(packages.nativeNames()).toEqual(expected)
  expect(code.includes('of the app')).toBe(expected.length === 0)
})

test.each([
  ['optional', { peerDependenciesMeta: { addon: { optional: true } } }, ['addon']],
  ['optional', { optionalDependencies: { addon: '1' } }, ['addon']],
  ['required', { dependencies: { addon: '1' } }, []],
])('a native package is %s for a package with %j', async (_, manifest, absent) => {
  const { packages } = await bundle({
    'page.js': "import 'socket'",
    'node_modules/socket/package.json': JSON.stringify({ name: 'socket', ...manifest }),
    'node_modules/socket/index.js': "try { require('addon') } catch {}",
    'node_modules/addon/package.json': '{ "name": "addon", "gypfile": true }',
  })
  expect(packages.nativeNames()).toEqual(['addon'])
  expect(packages.absent()).toEqual(absent)
})

/** Bundles `page.js` of an app with these files. */
async function bundle(files: Readonly<Record<string, string>>, dedupe: readonly string[] = []) {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-native-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const packages = createNativePackages()
  const output = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [packages.plugin],
    resolve: { dedupe: [...dedupe] },
    ssr: { noExternal: true },
    build: { ssr: path.join(root, 'page.js'), write: false },
  })
  const [{ code }] = (output as Rolldown.RolldownOutput).output
  return { packages, code }
}
