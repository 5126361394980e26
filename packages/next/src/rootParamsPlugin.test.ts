import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRootParams, rootParamTypes } from './rootParamsPlugin.ts'

function appWith(...files: string[]): string {
  const root = mkdtempSync(path.join(tmpdir(), 'root-params-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), '')
  }
  return root
}

const getters = (...files: string[]) =>
  rootParamTypes(readRootParams(appWith(...files))).match(/export function .*/g) ?? []

test.each<[string[], string[]]>([
  [['layout.tsx', '[slug]/page.tsx', '[slug]/layout.tsx'], []],
  [['[lang]/layout.tsx', '[lang]/[slug]/layout.tsx'], ['export function lang(): Promise<string>']],
  [
    ['(site)/[region]/[lang]/layout.jsx', '(site)/[region]/[lang]/page.jsx'],
    ['export function region(): Promise<string>', 'export function lang(): Promise<string>'],
  ],
  [
    ['(a)/[lang]/layout.tsx', '(b)/admin/layout.tsx'],
    ['export function lang(): Promise<string | undefined>'],
  ],
  [['docs/[...path]/layout.tsx'], ['export function path(): Promise<string[]>']],
  [['_lib/[x]/layout.tsx', '@slot/[y]/layout.tsx', '[my-lang]/layout.tsx'], []],
])('the layouts %j result in %j', (files, expected) => {
  expect(getters(...files)).toEqual(expected)
})
