import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type TemplateManifest, templateFolder, templates } from './templates.ts'
import { namesBelow } from './testing/temporaryFolder.ts'

const packages = fileURLToPath(new URL('../../', import.meta.url))
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const waymark = readManifest(join(packages, 'waymark'))

test('every folder of a template is offered', () => {
  const folders = readdirSync(dirname(templateFolder('minimal'))).sort()
  expect(templates.map(({ name }) => name).toSorted()).toEqual(folders)
})

describe.each(templates.map(({ name }) => name))('the template %s', (name) => {
  const folder = templateFolder(name)
  const manifest: TemplateManifest = readManifest(folder)

  test('asks for this version of the framework, and the React that it needs', () => {
    expect(manifest.dependencies.waymark).toBe(`^${waymark.version}`)
    expect(manifest.dependencies.react).toBe(waymark.peerDependencies.react)
    expect(manifest.dependencies['react-dom']).toBe(waymark.peerDependencies['react-dom'])
  })

  test('asks for ranges, not for exact versions', () => {
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(ranges.filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  })

  test('has no file that npm would leave out of the package', () => {
    const names = namesBelow(folder).map((path) => path.split('/').at(-1) ?? '')
    expect(names.filter((file) => file.startsWith('.') || file === 'package-lock.json')).toEqual([])
    expect(names).toContain('_gitignore')
  })
})

test('this package has the version of the framework', () => {
  expect(readManifest(join(packages, 'create-waymark')).version).toBe(waymark.version)
})
