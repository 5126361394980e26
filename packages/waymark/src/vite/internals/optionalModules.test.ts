import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSideEffectCheck, withLaterError } from './optionalModules.ts'

test.each([
  [false, 'index.js', true],
  [true, 'index.js', false],
  [undefined, 'index.js', false],
  [[], 'index.js', true],
  [['./dist/a.js'], 'dist/a.js', false],
  [['./dist/a.js'], 'dist/b.js', true],
  [['*.css', 'polyfill.js'], 'dist/polyfill.js', false],
  [['dist/**/setup.js'], 'dist/x/y/setup.js', false],
])('with sideEffects %j, a build may leave out %s: %s', (sideEffects, file, expected) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-optional-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'dist'))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'kit', sideEffects }))
  // Packages mark a folder's module format in this way.
  writeFileSync(path.join(folder, 'dist/package.json'), '{ "type": "module" }')
  expect(createSideEffectCheck()(path.join(folder, file))).toBe(expected)
})

test("an error is thrown when code uses one of the module's exports", async () => {
  const error = new TypeError('createContext is not a function')
  const exports = Object.defineProperty({}, 'early', { get: () => 'early', configurable: true })
  const code = '__vite_ssr_exportName__("late", () => { try { return late } catch {} });'
  Object.defineProperty(exports, 'early', { enumerable: true })
  await withLaterError(Promise.reject(error), exports, code)
  expect(Object.keys(exports)).toEqual(['early', 'late'])
  for (const name of ['early', 'late'] as const) {
    expect(() => (exports as Record<string, unknown>)[name]).toThrow(error)
  }
})

test.each([
  ['a module is missing', Object.assign(new Error('missing'), { runnerError: new Error() }), 'a'],
  ['a module has no exports', new Error('failed'), ''],
])('the error is thrown at once if %s', async (_, error, name) => {
  const exports = name === '' ? {} : { [name]: 1 }
  await expect(withLaterError(Promise.reject(error), exports, '')).rejects.toBe(error)
})
