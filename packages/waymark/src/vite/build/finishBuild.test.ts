import { expect, test } from 'vitest'
import { findExternals } from './finishBuild.ts'

test('packages are found, but not modules of the bundle or of Node', () => {
  const chunk = (imports: string[], dynamicImports: string[] = []) =>
    ({ type: 'chunk', imports, dynamicImports }) as const
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
  const drawing = { type: 'chunk' as const, imports: [], dynamicImports }
  expect(findExternals({ 'assets/a.js': drawing }, ['@takumi-rs/core', 'sharp'])).toEqual(['sharp'])
})
