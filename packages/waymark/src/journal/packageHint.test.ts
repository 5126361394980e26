import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { packageHint } from './packageHint.ts'

const hintOf = (message: string, code: string | null = 'MODULE_NOT_FOUND') =>
  packageHint({ message, code, phase: 'document' })

test.each([
  ["Cannot find module 'mysql2'\nRequire stack:\n- /srv/.waymark/rsc/index.js", 'mysql2'],
  ["Cannot find module '@scope/driver/lib/a.js'", '@scope/driver'],
  ["Cannot find package 'pg' imported from /srv/.waymark/rsc/index.js", 'pg'],
])('%s names the package to install', (message, name) => {
  expect(hintOf(message)).toContain(`The package ${name} is missing. Install it`)
  expect(hintOf(message)).toContain('ssr.external')
})

test.each([
  ["ENOENT: no such file or directory, open '/a/.waymark/node_modules/geoip-lite/data/a.dat'"],
  ["ENOENT: no such file or directory, open 'C:\\a\\node_modules\\geoip-lite\\data\\a.dat'"],
  ["Cannot find module '/a/node_modules/x/node_modules/geoip-lite/lib/worker.js'"],
])('%s names the package whose file is missing', (message) => {
  expect(hintOf(message)).toContain("ssr: { external: ['geoip-lite'] }")
})

test.each([
  ['broken'],
  ["ENOENT: no such file or directory, open '/srv/data/a.json'"],
  ["Cannot find module './a.js'"],
  ["Cannot find module '/srv/app/a.js'"],
])('%s gets no hint', (message) => {
  expect(hintOf(message)).toBe(null)
})

test('the error that Node really throws is recognised', () => {
  const load = () => createRequire(import.meta.url)('a-driver-that-nobody-has')
  let failure = { message: '', code: '' }
  try {
    load()
  } catch (thrown) {
    failure = thrown as typeof failure
  }
  expect(hintOf(failure.message, failure.code)).toContain(
    'The package a-driver-that-nobody-has is missing.',
  )
})

test('the cause of an error is read, too', () => {
  const causes = [
    {
      message: "Cannot find package 'pg' imported from /srv/index.js",
      code: 'ERR_MODULE_NOT_FOUND',
    },
  ]
  expect(packageHint({ message: 'No connection', causes, phase: 'document' })).toContain(
    'The package pg is missing.',
  )
})

test('an error without the code of Node gets no hint', () => {
  expect(hintOf("Cannot find module 'mysql2'", null)).toBe(null)
})

test('an error of a browser gets no hint', () => {
  const message = "Cannot find module 'mysql2'"
  expect(packageHint({ message, code: 'MODULE_NOT_FOUND', phase: 'browser' })).toBe(null)
})
