import { expect, test } from 'vitest'
import { addonError, isNativePackage } from './nativePackages.ts'

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
