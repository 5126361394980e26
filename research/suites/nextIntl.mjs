// Usage: node research/suites/nextIntl.mjs [--repository <url or path>] [--into <folder>]
// The end-to-end suites of next-intl's two examples: locales in paths, domains and cookies, over
// seven configurations.
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { must } from '../../scripts/workspace/run.mjs'
import { changeManifest, edit, layOut, moveApp, report, runPlaywright } from './suite.mjs'

const examples = { router: 'example-app-router', playground: 'example-app-router-playground' }
const suite = await layOut({
  name: 'next-intl',
  repository: 'https://github.com/amannn/next-intl',
  folders: Object.fromEntries(
    Object.entries(examples).map(([to, name]) => [`examples/${name}`, to]),
  ),
})
// Packages that neither the app nor its browser tests load.
const unused =
  /storybook|jest|eslint|@next\/|testing-library|prettier|mdx-js\/loader|chokidar|css-loader/

/** @param {string} app @param {Record<string, string>} added */
async function prepare(app, added) {
  await changeManifest(app, (manifest) => ({
    ...manifest,
    // The registry does not have icu-minify 4.15, which the next versions of both packages require.
    dependencies: { ...manifest.dependencies, 'next-intl': '4.14.8' },
    overrides: { 'use-intl': '4.14.8' },
    devDependencies: {
      ...Object.fromEntries(
        Object.entries(manifest.devDependencies).filter(([name]) => !unused.test(name)),
      ),
      ...added,
    },
  }))
  await moveApp(suite, app)
}

const router = path.join(suite.folder, 'router')
await prepare(router, {})
// A page for static exports, without a root layout above it. The proxy redirects from this URL.
await rm(path.join(router, 'src/app/page.tsx'))
await must('npx', ['waymark', 'build'], router)
report(
  'next-intl, example-app-router',
  await runPlaywright(router, { env: { CI: '1', PORT: '3001' } }),
)

const playground = path.join(suite.folder, 'playground')
await prepare(playground, { '@mdx-js/rollup': '^3.1.1' })
// Webpack plugins have no effect. MDX is handled by a Vite plugin.
const config = path.join(playground, 'next.config.mjs')
await edit(config, "import createMDX from '@next/mdx';\n", '')
await edit(config, "import createBundleAnalyzer from '@next/bundle-analyzer';\n", '')
await edit(config, /const withMdx.*?\n\}\);\n/s, '')
await edit(
  config,
  'withNextIntl(withMdx(withBundleAnalyzer(nextConfig)))',
  'withNextIntl(nextConfig)',
)
await writeFile(
  path.join(playground, 'vite.config.mts'),
  `import { next } from 'next/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [next({ mdx: {} })] })
`,
)
const useCases = [
  'main',
  'locale-prefix-never',
  'trailing-slash',
  'base-path',
  'domains',
  'domains-locale-prefix',
  'locale-cookie-false',
]
for (const useCase of useCases) {
  const env = { CI: '1', NEXT_PUBLIC_USE_CASE: useCase, TEST_MATCH: `${useCase}.spec.ts` }
  await must('npx', ['waymark', 'build'], playground, { ...process.env, ...env })
  report(`next-intl, playground, ${useCase}`, await runPlaywright(playground, { env }))
}
