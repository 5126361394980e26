import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { cssImportsPlugin, withImportsFirst } from './cssImportsPlugin.ts'

test.each([
  ['a {}\n@import "b";\nc {}', '@import "b";a {}\n\nc {}'],
  [
    "@import 'tailwindcss';\n@custom-variant dark (&:is(.dark *));\n@import './theme.css' layer(a);\n",
    "@import 'tailwindcss';@import './theme.css' layer(a);\n@custom-variant dark (&:is(.dark *));\n\n",
  ],
  [
    "@import 'a;b';\n@theme { --a: '}'; }\n@import url(https://c.test/d;e);\n@import 'f';",
    "@import 'a;b';@import url(https://c.test/d;e);@import 'f';\n@theme { --a: '}'; }\n\n",
  ],
])('%j becomes %j', (code, expected) => {
  expect(withImportsFirst(code)).toBe(expected)
})

test.each([
  "/* @import 'x'; */\n@layer a, b;\n@import 'y';\na {}",
  "a { content: '@import \"b\";' }\n/* @import 'c'; */",
  '@plugin "a";',
])('%j is not changed', (code) => {
  expect(withImportsFirst(code)).toBe(code)
})

test('a tilde refers to packages of the app, also in nested imports', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-tilde-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const files = {
    'package.json': '{ "dependencies": { "@kit/fonts": "1" }, "devDependencies": { "kit": "1" } }',
    'node_modules/@kit/fonts/400.css': '.font { color: red }',
    'node_modules/kit/a.css': '.kit { color: blue }',
    'main.js': "import './main.css'\nimport '~kitchen/own.js'",
    'main.css': "@import '~@kit/fonts/400.css';\n@import './more.css';",
    'more.css': "@import '~kit/a.css';",
    'own.js': 'console.log(1)',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [cssImportsPlugin(root)],
    resolve: { alias: [{ find: /^~kitchen\//, replacement: `${root}/` }] },
    build: { write: false, minify: false, rolldownOptions: { input: path.join(root, 'main.js') } },
  })
  const { output } = built as Rolldown.RolldownOutput
  const css = output.find(({ fileName }) => fileName.endsWith('.css'))
  expect(css).toMatchObject({ source: expect.stringMatching(/\.font[\s\S]*\.kit/) })
})
