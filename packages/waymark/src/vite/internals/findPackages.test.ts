import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DevEnvironment } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { bundleImports, isClientModule } from './findPackages.ts'

test.each([
  ["'use client'\nexport {}", true],
  ['"use strict";\n"use client";', true],
  ["// of a package\n/** with\n * a licence **/ /**/\n'use client'", true],
  ["export {}\n'use client'", false],
  ["/* 'use client' */ export {}", false],
  ["// 'use client'", false],
])('a client file begins with its directive: %j', (text, expected) => {
  expect(isClientModule(text)).toBe(expected)
})

// A pattern that could match these comments in several ways would exceed the test's time limit.
test.each(['/** a */ ', '//', '// a // b\n'])(
  'many comments are matched in linear time: %j',
  (comment) => {
    expect(isClientModule(`${comment.repeat(20_000)}\nexport {}`)).toBe(false)
    expect(isClientModule(`${comment.repeat(20_000)}\n'use client'`)).toBe(true)
  },
)

test('imports of a file, and of app files that it imports, are resolved once', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-imports-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(path.join(root, 'parts'))
  const files = {
    'form.tsx': `'use client'
import 'styles-only'
import type { Shape } from 'types-only'
import { useForm } from 'forms'
export { Part } from './parts/part.tsx'
export const late = () => import('later')`,
    'parts/part.tsx':
      "import './part.css'\nimport { back } from '../form.tsx'\nimport parts from 'parts'",
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text)
  const looked: string[] = []
  const resolveId = async (source: string, importer: string) => {
    looked.push(source)
    const isFile = source.startsWith('.')
    return isFile ? { id: path.resolve(path.dirname(importer), source) } : null
  }
  const ssr = { config: { root }, pluginContainer: { resolveId } } as unknown as DevEnvironment
  await bundleImports(ssr, path.join(root, 'form.tsx'))
  expect(looked.sort()).toEqual(
    [
      'styles-only',
      'forms',
      './parts/part.tsx',
      'later',
      './part.css',
      '../form.tsx',
      'parts',
    ].sort(),
  )
})

test('a deleted file has no imports', async () => {
  const ssr = { config: { root: '/app' } } as unknown as DevEnvironment
  await expect(bundleImports(ssr, '/app/gone.tsx')).resolves.toBeUndefined()
})
