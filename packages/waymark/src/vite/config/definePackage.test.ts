import type { ConfigEnv, ResolvedConfig } from 'vite'
import { expect, test } from 'vitest'
import { definePackage, readPackages } from './definePackage.ts'

const env: ConfigEnv = { command: 'build', mode: 'production' }

test('packages are found wherever a configuration has them: nested, promised, in any order', async () => {
  const flags = definePackage('flags', ({ command }) => ({ options: { command } }))
  const live = definePackage('live', () => ({}))
  const other = { name: 'other', api: { somethingElse: true } }
  expect(await readPackages([[other, [live]], false, null, Promise.resolve([flags])], env)).toEqual(
    [{ name: 'live' }, { name: 'flags', options: { command: 'build' } }],
  )
})

test('a package that is listed twice is refused by its name', async () => {
  const plugins = [definePackage('flags', () => ({})), [definePackage('flags', () => ({}))]]
  await expect(readPackages(plugins, env)).rejects.toThrow('hold flags twice')
})

test('a package without waymark() beside it says so', () => {
  const { configResolved } = definePackage('flags', () => ({}))
  const check = configResolved as unknown as (config: Partial<ResolvedConfig>) => void
  const named = (name: string) => ({ plugins: [{ name }] as ResolvedConfig['plugins'] })
  expect(() => check(named('waymark'))).not.toThrow()
  expect(() => check(named('flags'))).toThrow('lists flags, which extends Waymark')
})
