import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, createLogger } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { createPackageWarnings } from './packageWarnings.ts'

test("a build prints one line for packages' eval and directives, and all lines for the app", async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-warnings-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = {
    'main.js': "import 'calls-eval'\nimport '@kit/marked'\nimport './own.js'\n",
    'own.js': 'console.log(eval("2"))\n',
    'node_modules/calls-eval/index.js': 'console.log(eval("1"))\n',
    'node_modules/@kit/marked/index.js': "'use no memo'\nconsole.log(1)\n",
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const warnings: string[] = []
  const { plugin, summary } = createPackageWarnings()
  expect(summary()).toBe(null)
  await build({
    root,
    configFile: false,
    customLogger: { ...createLogger('silent'), warn: (text) => void warnings.push(text) },
    plugins: [plugin],
    build: { write: false, rolldownOptions: { input: path.join(root, 'main.js') } },
  })
  expect(summary()).toBe(
    'Packages contain directives without effect (@kit/marked) and eval() (calls-eval).',
  )
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('own.js')
})
