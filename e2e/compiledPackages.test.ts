import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'

/**
 * Packages that were compiled to CommonJS. Node runs some of them, and Vite transforms the others,
 * because they have a peer dependency.
 */
const compiledPackages = Object.fromEntries(
  [
    ['compiled-tools', {}],
    ['compiled-parts', { react: '*' }],
  ].flatMap(([name, peerDependencies]) => [
    [
      `node_modules/${name}/package.json`,
      JSON.stringify({
        name,
        version: '1.0.0',
        peerDependencies,
        dependencies: { 'common-tools': '1.0.0' },
      }),
    ],
    [
      `node_modules/${name}/index.js`,
      `"use strict"
Object.defineProperty(exports, "__esModule", { value: true })
exports.named = "named"
exports.default = () => "${name}"
`,
    ],
  ]),
)

const ofCommonJs = {
  'package.json': JSON.stringify({
    private: true,
    dependencies: { 'compiled-tools': '1.0.0', 'compiled-parts': '1.0.0' },
  }),
  ...compiledPackages,
  'app/strict/strict.ts': `const strict = () => 'strict'
const get = (_: unknown, name: string | symbol) => {
  throw new Error(\`\${String(name)} was read\`)
}
export default new Proxy(strict, { get })
`,
  'app/strict/page.tsx': `import strict from './strict.ts'
export const dynamic = 'force-dynamic'
export default () => <h1>{strict()}</h1>
`,
  'app/compiled/page.tsx': `import parts, { named } from 'compiled-parts'
import tools from 'compiled-tools'
export const dynamic = 'force-dynamic'
const later = async () => (await import('compiled-tools')).default()
export default async () => <h1>{tools()} {parts()} {named} {await later()}</h1>
`,
}

describeModes(
  'packages of an app without a "type"',
  { app: 'basic', files: ofCommonJs },
  (served) => {
    test('that were compiled to CommonJS have the right default export', async () => {
      const html = await (await served.fetch('/compiled')).text()
      const expectedHeading = '<h1>compiled-tools compiled-parts named compiled-tools</h1>'
      expect(html.replaceAll('<!-- -->', '')).toContain(expectedHeading)
    })

    test('do not affect the modules of the app', async () => {
      expect(await (await served.fetch('/strict')).text()).toContain('<h1>strict</h1>')
    })
  },
)
