import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { readPostcss } from './postcssConfig.ts'

/** Replaces the style sheet with its parsed text and so forgets the imported files. */
const forgetful = `module.exports = () => ({
  postcssPlugin: '@tailwindcss/postcss',
  Once(root, { result, postcss }) {
    const parsed = postcss.parse(root.toString(), result.opts)
    root.removeAll()
    root.append(parsed.nodes)
  },
})
module.exports.postcss = true
`

const fontFace = (...urls: string[]) =>
  `@font-face { font-family: kit; src: ${urls.map((url) => `url(${url})`).join(', ')} }`

const packages = {
  'node_modules/@tailwindcss/postcss/index.js': forgetful,
  'node_modules/kit/dist/kit.css': [
    fontFace('fonts/a.woff2', "'./fonts/a.woff2?#iefix'", '"../b%20c.woff2"'),
    '.missing { background: url(fonts/missing.png) }',
    '.remote { background: url(https://kit.test/a.png), url(data:image/png;base64,AAAA) }',
    ".set { background: image-set('fonts/d.png' 1x, url(fonts/d.png) 2x) }",
  ].join('\n'),
  'node_modules/kit/dist/fonts/a.woff2': 'a',
  'node_modules/kit/dist/fonts/d.png': 'd',
  'node_modules/kit/b c.woff2': 'b',
  'main.js': "import './styles/main.css'",
  'styles/main.css': '@import "kit/dist/kit.css";\n.own { background: url(own.png) }',
  'styles/own.png': 'own',
}

const asList = "module.exports = { plugins: ['@tailwindcss/postcss'] }"
const asObject = "module.exports = { plugins: { '@tailwindcss/postcss': {} } }"
const asPlugin = "module.exports = { plugins: [require('@tailwindcss/postcss')()] }"

test.each([
  ['4.1.16', 'a list', asList],
  ['4.1.16', 'an object', asObject],
  ['4.3.3', 'imported plugins', asPlugin],
])(
  'with Tailwind %s in %s, URLs in imported style sheets refer to their own files',
  async (version, _, config) => {
    const root = makeApp(version, config)
    const postcss = await readPostcss(root)
    const { css, assets, warnings } = await buildApp(root, postcss)
    expect(assets).toEqual(['a.woff2', 'b c.woff2', 'd.png', 'own.png'])
    expect(css).toContain('url(fonts/missing.png)')
    expect(css).toContain('https://kit.test/a.png')
    expect(css).not.toContain('"fonts/d.png"')
    expect(warnings.join()).toContain('fonts/missing.png')
    expect(warnings).toHaveLength(1)
  },
)

test.each([
  ['4.3.4', asObject],
  ['4.3.5', asPlugin],
  ['5.0.0', asObject],
])('Vite applies the configuration of Tailwind %s', async (version, config) => {
  expect(await readPostcss(makeApp(version, config))).toBe(null)
})

function makeApp(version: string, config: string) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'next-imported-urls-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const manifest = JSON.stringify({ name: '@tailwindcss/postcss', version, main: 'index.js' })
  const files = {
    ...packages,
    'package.json': '{}',
    'node_modules/@tailwindcss/postcss/package.json': manifest,
    'postcss.config.cjs': config,
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

async function buildApp(root: string, postcss: Awaited<ReturnType<typeof readPostcss>>) {
  const warnings: string[] = []
  const onWarning = (text: string) => warnings.push(text)
  const built = (await build({
    root,
    configFile: false,
    css: postcss === null ? {} : { postcss },
    customLogger: {
      info() {},
      error: onWarning,
      warn: onWarning,
      warnOnce: onWarning,
      clearScreen() {},
      hasErrorLogged: () => false,
      hasWarned: false,
    },
    build: {
      write: false,
      assetsInlineLimit: 0,
      cssMinify: false,
      rolldownOptions: { input: path.join(root, 'main.js') },
    },
  })) as Rolldown.RolldownOutput
  const files = built.output.filter((each) => each.type === 'asset')
  const sheet = files.find(({ fileName }) => fileName.endsWith('.css'))
  const assets = files.filter((each) => each !== sheet).map(({ names }) => names[0])
  return { css: String(sheet?.source), assets: assets.toSorted(), warnings }
}
