import { expect, test } from 'vitest'
import { importExpressions } from './importExpressions.ts'

const cases: [code: string, sources: string[]][] = [
  ["import('./page.js')", ['./page.js']],
  ['const load = () => import("./page.js").then(show)', ['./page.js']],
  ['import(`./page.js`)', ['./page.js']],
  ['import(/* @vite-ignore */ "./page.js",)', ['./page.js']],
  [`import(\`./\${name}.js\`)`, []],
  ["import('./' + name)", []],
  ["import('./data.json', { with: { type: 'json' } })", []],
  ["// import('./comment.js')\nconst text = \"import('./text.js')\"", []],
  [
    "import './static.js'; import('./first.js'); import('./second.js')",
    ['./first.js', './second.js'],
  ],
]

for (const [code, sources] of cases) {
  test(`finds ${sources.length} imports in ${JSON.stringify(code)}`, async () => {
    const found = await importExpressions(code)
    expect(found.map(({ source }) => source)).toEqual(sources)
    for (const { start, end } of found) expect(code.slice(start, end)).toMatch(/^import\(.*\)$/)
  })
}

test('code with a syntax error throws', async () => {
  await expect(importExpressions('import(')).rejects.toThrow()
})
