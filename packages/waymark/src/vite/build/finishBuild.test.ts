import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { findExternals } from './finishBuild.ts'

test('packages are found, but not modules of the bundle or of Node', () => {
  const chunk = (imports: string[], dynamicImports: string[] = []) =>
    ({ type: 'chunk', imports, dynamicImports, code: importsOf(imports, dynamicImports) }) as const
  expect(
    findExternals({
      'index.js': chunk(
        ['assets/a.js', 'node:fs', 'path', 'virtual:waymark/build', './x.js'],
        ['sharp'],
      ),
      'assets/a.js': chunk(['sharp', '@scope/native/sub', '../index.js']),
      'a.css': { type: 'asset' },
    }),
  ).toEqual(['@scope/native/sub', 'sharp'])
})

test("the package that draws images isn't needed to start", () => {
  const dynamicImports = ['@takumi-rs/core']
  const code = `${importsOf([], dynamicImports)}; require("sharp")`
  const drawing = { type: 'chunk' as const, imports: [], dynamicImports, code }
  expect(findExternals({ 'assets/a.js': drawing }, ['@takumi-rs/core', 'sharp'])).toEqual(['sharp'])
})

function importsOf(imports: readonly string[], dynamicImports: readonly string[]): string {
  return [
    ...imports.map((name) => `import '${name}'`),
    ...dynamicImports.map((name) => `import(\`${name}\`)`),
  ].join('\n')
}

test('packages whose imports were removed with unused code are left out', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-externals-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = {
    'node_modules/auth/package.json': '{ "name": "auth" }',
    'node_modules/auth/index.js': `import { Body } from 'email'
      import { resize } from 'native/resize'
      export const paths = { id: Math.random() }
      export const Email = () => Body
      export const avatar = () => resize()`,
    'node_modules/email/package.json': '{ "name": "email", "sideEffects": false }',
    'node_modules/email/index.js': 'export const Body = 1',
    'node_modules/native/package.json': '{ "name": "native", "sideEffects": false }',
    'node_modules/native/resize.js': 'export const resize = () => 1',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const externalsOf = async (page: string) => {
    writeFileSync(path.join(root, 'page.js'), page)
    const { output } = (await build({
      root,
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true, external: ['email', 'native'] },
      build: { ssr: path.join(root, 'page.js'), write: false },
    })) as Rolldown.RolldownOutput
    const bundle = Object.fromEntries(output.map((each) => [each.fileName, each]))
    return findExternals(bundle, ['native'])
  }
  expect(await externalsOf("import { paths } from 'auth'\nconsole.log(paths)")).toEqual([])
  const used = "import { Email, avatar } from 'auth'\nconsole.log(Email(), avatar())"
  expect(await externalsOf(used)).toEqual(['email', 'native', 'native/resize.js'])
})
