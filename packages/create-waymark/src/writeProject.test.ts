import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesBelow, temporaryFolder } from './testing/temporaryFolder.ts'
import { writeProject } from './writeProject.ts'

const manifest = '{\n  "name": "my-app",\n  "dependencies": { "waymark": "^1.0.0" }\n}\n'
const template = () =>
  temporaryFolder({
    _gitignore: 'node_modules\n',
    'README.md': '# my-app\n',
    'app/layout.tsx': "const title = 'my-app'\n",
    'app/page.tsx': "const text = 'my-app'\n",
    'package.json': manifest,
  })

const written = ['.gitignore', 'README.md', 'app', 'app/layout.tsx', 'app/page.tsx', 'package.json']

test('files get their final names, and the name of the app', () => {
  const folder = join(temporaryFolder(), 'sites/shop')
  writeProject({ from: template(), folder, name: 'shop', waymark: null })
  expect(namesBelow(folder)).toEqual(written)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(read('README.md')).toBe('# shop\n')
  expect(read('app/layout.tsx')).toBe("const title = 'shop'\n")
  expect(read('app/page.tsx')).toBe("const text = 'my-app'\n")
  expect(read('package.json')).toBe(manifest.replace('my-app', 'shop'))
})

test('the framework can come from another source', () => {
  const folder = temporaryFolder()
  writeProject({ from: template(), folder, name: 'shop', waymark: 'file:/a.tgz' })
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
    name: 'shop',
    dependencies: { waymark: 'file:/a.tgz' },
  })
})

test('other packages of Waymark come from the same source as the framework', () => {
  const text = manifest.replace(
    ' }\n}',
    ' },\n  "devDependencies": { "@waymark/testing": "^1.0.0" }\n}',
  )
  const from = temporaryFolder({ 'package.json': text })
  const testingOf = (waymark: string) => {
    const folder = temporaryFolder()
    writeProject({ from, folder, name: 'shop', waymark })
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return devDependencies['@waymark/testing']
  }
  expect(testingOf('file:/waymark/waymark-0.1.0.tgz')).toBe(
    'file:/waymark/waymark-testing-0.1.0.tgz',
  )
  expect(testingOf('next')).toBe('next')
})

test('undo removes all new files and folders', () => {
  const around = temporaryFolder({ 'other/a': '' })
  const undo = writeProject({
    from: template(),
    folder: join(around, 'sites/shop'),
    name: 'shop',
    waymark: null,
  })
  undo()
  expect(namesBelow(around)).toEqual(['other', 'other/a'])
})

test('after a failure only the existing files are left', () => {
  const folder = temporaryFolder({ 'app/page.tsx': 'mine', '.git/HEAD': '' })
  expect(() => writeProject({ from: template(), folder, name: 'shop', waymark: null })).toThrow(
    /EEXIST/,
  )
  expect(namesBelow(folder)).toEqual(['.git', '.git/HEAD', 'app', 'app/page.tsx'])
  expect(readFileSync(join(folder, 'app/page.tsx'), 'utf8')).toBe('mine')
})

test('undo leaves a folder that was empty before', () => {
  const folder = temporaryFolder()
  writeProject({ from: template(), folder, name: 'shop', waymark: null })()
  expect(existsSync(folder)).toBe(true)
  expect(namesBelow(folder)).toEqual([])
})
