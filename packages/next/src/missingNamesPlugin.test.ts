import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { missingNamesPlugin } from './missingNamesPlugin.ts'

function bundle(module: string, files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-names-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(
    path.join(root, 'page.ts'),
    `// A page.\nimport a from '${module}'\nexport default a\n`,
  )
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return build({
    root,
    configFile: false,
    logLevel: 'silent',
    // Some plugins resolve every module, as the test's plugin does.
    plugins: [
      {
        name: 'asks',
        enforce: 'pre',
        resolveId(id, importer) {
          return importer ? this.resolve(id, importer, { skipSelf: true }) : null
        },
      },
      missingNamesPlugin(root, new Set(['./link', './link.js'])),
    ],
    build: {
      write: false,
      lib: { entry: path.join(root, 'page.ts'), formats: ['es'] },
      rollupOptions: { external: ['next/link'] },
    },
  })
}

test('the error for a missing module names the file, the line and an alternative', async () => {
  await expect(bundle('next/document')).rejects.toThrow(
    /page\.ts:2: next\/document doesn't exist in Waymark\. Render <html> and <body> in app\/layout\.tsx\./,
  )
  await expect(bundle('next/made-up.js')).rejects.toThrow(
    /next\/made-up\.js doesn't exist in Waymark\. See/,
  )
  await expect(bundle('next/dist/client/link')).rejects.toThrow(
    /page\.ts:2: next\/dist\/client\/link doesn't exist in Waymark\. Internal modules of next don't/,
  )
  await expect(bundle('next/link')).resolves.toBeDefined()
})

test('an internal module of next that a package imports only fails when it is called', async () => {
  const [output] = (await bundle('kit', {
    'node_modules/kit/package.json': '{ "name": "kit", "type": "module", "main": "index.js" }',
    'node_modules/kit/index.js': `import { listen as add } from 'next/dist/client/socket.js'
export { parse } from 'next/dist/lib/parse'
export default () => 'not called'
export const onChange = () => add(() => {})`,
  })) as Rolldown.RolldownOutput[]
  const code = output?.output[0].code ?? ''
  expect(code).toContain('not called')
  await expect(bundle('next/dist/client/socket.js')).rejects.toThrow("doesn't exist in Waymark")
})
