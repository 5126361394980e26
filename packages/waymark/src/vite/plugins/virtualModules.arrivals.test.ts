import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { resolveOptions, type WaymarkOptions } from '../config/pluginOptions.ts'
import { configPlugin } from './virtualModules.ts'

type Place = { readonly name: 'client' | 'rsc'; readonly mode: 'dev' | 'build' }

function load(root: string, options: WaymarkOptions, environment: Place): unknown {
  const plugin = configPlugin(
    () => resolveOptions(root, options),
    () => false,
  )
  const { handler } = plugin.load as unknown as { handler(this: object, id: string): unknown }
  return handler.call({ environment }, '\0virtual:waymark/arrivals')
}

/** An app that has installed the package. */
function appWithPackage(): string {
  const root = temporaryFolder({ 'package.json': '{}' })
  const folder = join(root, 'node_modules/@waymark/arrivals')
  mkdirSync(folder, { recursive: true })
  const exports = { './client': './client.js', './server': './server.js' }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: '@waymark/arrivals', exports }),
  )
  for (const name of ['client', 'server']) writeFileSync(join(folder, `${name}.js`), '')
  return root
}

test('an app without the option has nothing of arrivals', () => {
  const root = appWithPackage()
  const [client, rsc] = (['client', 'rsc'] as const).map((name) =>
    load(root, {}, { name, mode: 'build' }),
  )
  expect(client).toBe('export const tracer = null\n')
  expect(rsc).toBe('export const createEndpoint = null\n')
})

test('the dev server counts no arrivals', () => {
  expect(load(appWithPackage(), { arrivals: true }, { name: 'client', mode: 'dev' })).toBe(
    'export const tracer = null\n',
  )
})

test.each([
  ['client', /^export \{ tracer \} from ".*\/@waymark\/arrivals\/client\.js"\n$/],
  ['rsc', /^export \{ createEndpoint \} from ".*\/@waymark\/arrivals\/server\.js"\n$/],
] as const)('a build with the option has the part of %s', (name, module) => {
  expect(load(appWithPackage(), { arrivals: true }, { name, mode: 'build' })).toMatch(module)
})

test('a build with the option names the package that is missing', () => {
  const root = temporaryFolder({ 'package.json': '{}' })
  expect(() => load(root, { arrivals: true }, { name: 'rsc', mode: 'build' })).toThrow(
    /@waymark\/arrivals/,
  )
})
