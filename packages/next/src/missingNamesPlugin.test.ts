import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { missingNamesPlugin } from './missingNamesPlugin.ts'

function bundle(module: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-names-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(
    path.join(root, 'page.ts'),
    `// A page.\nimport a from '${module}'\nexport default a\n`,
  )
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
