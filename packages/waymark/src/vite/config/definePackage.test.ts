import type { ConfigEnv, ResolvedConfig } from 'vite'
import { expect, test } from 'vitest'
import { definePackage, importListedPackages, readPackages } from './definePackage.ts'

const env: ConfigEnv = { command: 'build', mode: 'production' }

test('packages are found in nested lists, in promises, and in any order', async () => {
  const flags = definePackage('flags', ({ command }) => ({ options: { command } }))
  const live = definePackage('live', () => ({}))
  const other = { name: 'other', api: { somethingElse: true } }
  expect(await readPackages([[other, [live]], false, null, Promise.resolve([flags])], env)).toEqual(
    [{ name: 'live' }, { name: 'flags', options: { command: 'build' } }],
  )
})

test('a package that is listed twice is refused with its name', async () => {
  const plugins = [definePackage('flags', () => ({})), [definePackage('flags', () => ({}))]]
  await expect(readPackages(plugins, env)).rejects.toThrow('contain flags twice')
})

test('a package without waymark() in the configuration reports it', () => {
  const { configResolved } = definePackage('flags', () => ({}))
  const check = configResolved as unknown as (config: Partial<ResolvedConfig>) => void
  const named = (name: string) => ({ plugins: [{ name }] as ResolvedConfig['plugins'] })
  expect(() => check(named('waymark'))).not.toThrow()
  expect(() => check(named('flags'))).toThrow('lists flags, which extends Waymark')
})

const moduleWith = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

test('stores of several packages are imported by variable, when a server needs them', async () => {
  const plugins = [
    definePackage('red', () => ({ stores: { RED_URL: moduleWith('export const kind = "red"') } })),
    definePackage('blue', () => ({
      stores: { BLUE_URL: moduleWith('throw new Error("loaded too early")') },
      operations: moduleWith('export const joinWorker = () => null'),
    })),
  ]
  const { stores, operations, isBuilt } = importListedPackages(await readPackages(plugins, env))
  expect(Object.keys(stores)).toEqual(['RED_URL', 'BLUE_URL'])
  expect(await stores.RED_URL?.()).toMatchObject({ kind: 'red' })
  expect(await operations?.()).toHaveProperty('joinWorker')
  expect(isBuilt).toBe(false)
})

test.each([
  ['operations', { operations: moduleWith('') }],
  ['stores.RED_URL', { stores: { RED_URL: moduleWith('') } }],
])('two packages with %s are refused with their names', async (hook, description) => {
  const plugins = ['red', 'blue'].map((name) => definePackage(name, () => description))
  await expect(readPackages(plugins, env)).rejects.toThrow(
    `red and blue both have the hook ${hook}`,
  )
})
