import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { drawingPlugin } from './drawingPlugin.ts'

test('a package that pnpm hides from the app is imported by its path', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-drawing-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = 'node_modules/.pnpm/kit@1/node_modules'
  const files = {
    'main.js': "import './node_modules/kit/main.js'",
    [`${store}/kit/main.js`]: "console.log(import('@takumi-rs/core'))",
    [`${store}/@takumi-rs/core/package.json`]: '{ "main": "./native.js" }',
    [`${store}/@takumi-rs/core/native.js`]: '',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  symlinkSync(path.join(root, store, 'kit'), path.join(root, 'node_modules/kit'))
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [drawingPlugin(root)],
    ssr: { noExternal: true },
    build: { ssr: 'main.js', outDir: 'out/rsc' },
  })
  const [code = ''] = (built as Rolldown.RolldownOutput).output.flatMap((output) =>
    output.type === 'chunk' ? output.code : [],
  )
  expect(code).toContain(`"../../${store}/@takumi-rs/core/native.js"`)
})
