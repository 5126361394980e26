import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeRouteTypes } from './typesPlugin.ts'

function appWith(page: string): { root: string; appDir: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-types-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const appDir = path.join(root, 'app')
  mkdirSync(appDir)
  writeFileSync(path.join(appDir, 'layout.tsx'), '')
  writeFileSync(path.join(appDir, 'page.tsx'), page)
  return { root, appDir }
}

test.each([
  ['export const searchParams: Schema = { page: 1 }\nexport default () => <p />', true],
  ['const searchParams = {}\nexport { searchParams }', true],
  ["export { schema as searchParams } from './schema'", true],
  ['export const { searchParams } = schemas', true],
  ['/*\nexport const searchParams = {}\n*/\nexport default () => <p />', false],
  ['export default ({ searchParams }: Props) => <p>{searchParams}</p>', false],
])('%s', async (page, hasSchema) => {
  const app = appWith(page)
  writeFileSync(path.join(app.root, 'tsconfig.json'), '{}')
  const file = await writeRouteTypes(app)
  expect(file).toBe(path.join(app.root, 'waymark-routes.d.ts'))
  const text = readFileSync(String(file), 'utf8')
  expect(text.includes("page: typeof import('./app/page')")).toBe(hasSchema)
})

test('an app without TypeScript gets no declarations', async () => {
  expect(await writeRouteTypes(appWith(''))).toBeNull()
})
