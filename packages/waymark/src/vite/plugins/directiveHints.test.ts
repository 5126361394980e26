import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBuilder, type Plugin } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { packageHints } from '../../node/packageHints.ts'
import { directiveHintsPlugin } from './directiveHints.ts'

/** Builds a module for the server or for browsers. */
async function build(source: string, environment: 'rsc' | 'client', plugins: Plugin[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'waymark-directives-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'prices.tsx'), source)
  const builder = await createBuilder({
    root,
    plugins: [directiveHintsPlugin(), ...plugins],
    configFile: false,
    logLevel: 'silent',
    environments: {
      [environment]: {
        build: { write: false, rolldownOptions: { input: join(root, 'prices.tsx') } },
      },
    },
  })
  const built = builder.environments[environment]
  if (!built) throw new Error(`There is no environment ${environment}.`)
  return builder.build(built)
}

const typed = 'type Price = {\n  readonly euros: number\n}\n\n'

test.each([
  ['in a function', `${typed}export async function read() {\n  'use cache'\n  return 1\n}`, 6],
  ['in an arrow', `${typed}export const read = async () => { "use cache"; return 1 }`, 5],
  ['in a file', `// Prices\n'use cache'\n${typed}export async function read() {}`, 2],
])("'use cache' %s, which no plugin compiles, is an error with its line", async (_, code, line) => {
  await expect(build(code, 'rsc')).rejects.toThrow(
    `prices.tsx:${line} has the directive 'use cache', but none of this app's plugins compiles it, so the function would run for each request. Instead, write const getPrices = cached(async (region) => …) at the top level of the file, with cached() from waymark/server. To keep the directive, ${packageHints.cacheDirective.lines}. (DIRECTIVE_NOT_COMPILED)`,
  )
})

test("a variant such as 'use cache: remote' is refused with its name", async () => {
  const code = "export async function read() {\n  'use cache: remote'\n}"
  await expect(build(code, 'rsc')).rejects.toThrow(
    "prices.tsx:2 has the directive 'use cache: remote', ",
  )
})

test("'use cache' in the code of browsers says where to move the function", async () => {
  const code = "export async function read() {\n  'use cache'\n}"
  await expect(build(code, 'client')).rejects.toThrow(
    "prices.tsx:2 has the directive 'use cache', but runs in browsers. Move the function to a server file.",
  )
})

test("'use cache' as a plain string is ignored", async () => {
  const code = "export const text = 'use cache'\nconsole.log('use cache')"
  await expect(build(code, 'rsc')).resolves.toBeDefined()
})

test('a plugin that compiles the directive may run later', async () => {
  const compile: Plugin = {
    name: 'compile',
    transform: { filter: { id: /prices/ }, handler: (code) => code.replace(/.use cache./, '') },
  }
  const code = "export async function read() {\n  'use cache'\n}"
  await expect(build(code, 'rsc', [compile])).resolves.toBeDefined()
})
