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
    // As plugins do that look where a module leads to.
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

test('a module that is not there is named with its file, its line and the nearest way', async () => {
  await expect(bundle('next/document')).rejects.toThrow(
    /page\.ts:2: next\/document is not there\. app\/layout\.tsx renders <html> and <body>\./,
  )
  await expect(bundle('next/made-up.js')).rejects.toThrow(/next\/made-up\.js is not there\. See/)
  await expect(bundle('next/dist/client/link')).rejects.toThrow(
    /page\.ts:2: next\/dist\/client\/link is not there\. Nothing of the inside of next is/,
  )
  await expect(bundle('next/link')).resolves.toBeDefined()
})
