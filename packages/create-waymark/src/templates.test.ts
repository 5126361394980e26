import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TemplateManifest, templateFolder, templates } from './templates.ts'
import { namesBelow } from './testing/temporaryFolder.ts'

const packages = fileURLToPath(new URL('../../', import.meta.url))
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const waymark = readManifest(join(packages, 'waymark'))

test('every template folder is in the list of templates', () => {
  const folders = readdirSync(dirname(templateFolder('minimal'))).sort()
  expect(templates.map(({ name }) => name).toSorted()).toEqual(folders)
})

describe.each(templates.map(({ name }) => name))('the template %s', (name) => {
  const folder = templateFolder(name)
  const manifest: TemplateManifest = readManifest(folder)

  test('depends on this version of the framework and its version of React', () => {
    expect(manifest.dependencies.waymark).toBe(`^${waymark.version}`)
    const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
    const ours = Object.keys(dependencies).filter((name) => name.startsWith('@waymark/'))
    expect(ours).toEqual(
      expect.arrayContaining(['@waymark/devtools', '@waymark/speedups', '@waymark/testing']),
    )
    for (const name of ours) expect(dependencies[name]).toBe(`^${waymark.version}`)
    expect(manifest.dependencies.react).toBe(`^${waymark.devDependencies.react}`)
    expect(manifest.dependencies['react-dom']).toBe(`^${waymark.devDependencies['react-dom']}`)
  })

  test('has version ranges, not exact versions', () => {
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(ranges.filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  })

  test('ignores the types of its routes in Git, and writes them before the type check', () => {
    expect(readFileSync(join(folder, '_gitignore'), 'utf8')).toContain('\nwaymark-routes.d.ts\n')
    expect(readManifest(folder).scripts.types).toBe('waymark types && tsc')
  })

  test('has few files in its type check', () => {
    const app = mkdtempSync(join(tmpdir(), 'waymark-template-'))
    onTestFinished(() => rmSync(app, { recursive: true }))
    cpSync(folder, app, { recursive: true })
    const modules = join(packages, '../node_modules')
    symlinkSync(modules, join(app, 'node_modules'))
    const args = [join(modules, 'typescript/bin/tsc'), '--project', app, '--listFilesOnly']
    const listed = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')
    expect(listed.some((file) => file.endsWith('/waymark/dist/index.d.ts'))).toBe(true)
    // The limit must be high, because the configuration files for Vite and Vitest import many
    // types. `use-intl` and its parser of messages add fifty files.
    expect(listed.length).toBeLessThan(name === 'languages' ? 750 : 650)
  })

  test('has one test of each kind', () => {
    const tests = namesBelow(folder).filter((file) => /\.(test|spec)\.tsx?$/.test(file))
    // A component with texts can't be rendered without the app's build.
    const ofComponents = name === 'languages' ? [] : ['app/counter.test.tsx']
    expect(tests.sort()).toEqual(['app.test.ts', ...ofComponents, 'e2e/start.spec.ts'])
  })

  test('has no file that npm leaves out of a package', () => {
    const names = namesBelow(folder).map((path) => path.split('/').at(-1) ?? '')
    expect(names.filter((file) => file.startsWith('.') || file === 'package-lock.json')).toEqual([])
    expect(names).toContain('_gitignore')
  })
})

test('this package has the version of the framework', () => {
  expect(readManifest(join(packages, 'create-waymark')).version).toBe(waymark.version)
})
