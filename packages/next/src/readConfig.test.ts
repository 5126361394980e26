import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './readConfig.ts'

async function read(code: string | null, files: readonly string[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'next-config-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  if (code !== null) writeFileSync(join(root, 'next.config.ts'), code)
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  const lines: string[] = []
  const config = await readConfig(root, (line) => void lines.push(line))
  return { root, config, lines }
}

test('an app without a configuration has no rules', async () => {
  const { config, lines } = await read(null)
  expect(config.rules).toEqual({
    redirects: [],
    headers: [],
    rewrites: { beforeFiles: [], afterFiles: [], fallback: [] },
  })
  expect(lines).toEqual([])
})

test('a function is called with its phase; a list of rewrites counts as afterFiles', async () => {
  const { config } = await read(
    `export default async (phase: string) => ({
      env: { PHASE: phase, LEFT: undefined },
      rewrites: () => [{ source: '/a', destination: '/b' }],
    })`,
  )
  expect(config.env).toEqual({ PHASE: 'phase-development-server' })
  expect(config.rules.rewrites.afterFiles).toEqual([{ source: '/a', destination: '/b' }])
})

test('aliases of wrappers are used, and file paths are resolved from the root', async () => {
  const { root, config } = await read(
    "export default { turbopack: { resolveAlias: { 'a/b': './src/b.ts', c: 'd', e: { browser: 'f' } } } }",
  )
  expect(config.resolveAlias).toEqual({ 'a/b': join(root, 'src/b.ts'), c: 'd' })
})

test('reads basePath and assetPrefix', async () => {
  const { config, lines } = await read(
    `export default {
      basePath: '/docs',
      trailingSlash: true,
      assetPrefix: 'https://cdn.test',
      redirects: () => [{ source: '/', destination: '/docs', basePath: false, permanent: false }],
      rewrites: () => [{ source: '/a', destination: 'https://a.test', basePath: false }],
    }`,
  )
  expect([config.basePath, config.assetPrefix, config.trailingSlash]).toEqual([
    '/docs',
    'https://cdn.test',
    true,
  ])
  expect(lines).toEqual([
    expect.stringMatching(
      /^next\.config\.ts: the rule for \/a has basePath: false, but outside \/docs, only redirects/,
    ),
  ])
})

test('the aliases of a webpack function are used, and its other changes are reported', async () => {
  const { config, lines } = await read(
    `export default { webpack(config, { isServer }) {
      config.resolve.alias['own/config'] = isServer ? './i18n.ts' : ''
      config.plugins.push(new (class Own {})())
      return config
    } }`,
  )
  expect(config.resolveAlias['own/config']).toMatch(/\/i18n\.ts$/)
  expect(lines).toEqual([
    expect.stringMatching(
      /^next\.config\.ts: webpack: the plugin Own has no effect\. Instead, look for/,
    ),
  ])
})

test('limits of actions and lifetimes are passed to Waymark', async () => {
  const { config, lines } = await read(
    `export default {
      experimental: { serverActions: { bodySizeLimit: '2mb', allowedOrigins: ['a.test', '*.b.test'] } },
      cacheLife: { blog: { stale: 1, revalidate: 2, expire: 3 } },
    }`,
  )
  expect(config.actions).toEqual({ maxBytes: 2_097_152, allowedOrigins: ['https://a.test'] })
  expect(config.cacheLife).toEqual({ blog: { revalidate: 2, expire: 3 } })
  expect(lines).toEqual([
    'next.config.ts: serverActions.allowedOrigins: *.b.test is ignored, because it is not a single origin. List each origin.',
  ])
  const wrong = "export default { experimental: { serverActions: { bodySizeLimit: 'big' } } }"
  await expect(read(wrong)).rejects.toThrow(/bodySizeLimit is "big"/)
})

test('options of Sass are passed to Vite', async () => {
  const { config, lines } = await read(
    "export default { sassOptions: { includePaths: ['./styles'], prependData: '$a: 1;', quietDeps: true } }",
  )
  const options = { loadPaths: ['./styles'], additionalData: '$a: 1;', quietDeps: true }
  expect(config.css).toEqual({ preprocessorOptions: { scss: options, sass: options } })
  expect(lines).toEqual([])
})

test("keys that match Waymark's behaviour are not reported, and unsupported keys of experimental and images are", async () => {
  const { lines } = await read(
    `export default {
      poweredByHeader: false, pageExtensions: ['tsx', 'mdx'], trailingSlash: false,
      experimental: { authInterrupts: true, staleTimes: { dynamic: 1 }, madeUp: true, off: false },
      images: { remotePatterns: [{ hostname: 'a.test' }], qualities: [75], unoptimized: true },
      output: 'export',
    }`,
  )
  expect(lines).toEqual([
    expect.stringMatching(/output: .*staticSite\(\)/),
    expect.stringMatching(/experimental\.staleTimes: set how long pages are reused/),
    'next.config.ts: experimental.madeUp: Waymark ignores it.',
    expect.stringMatching(
      /images\.remotePatterns: other URLs are used unchanged, or go through a loader/,
    ),
    expect.stringMatching(/images\.qualities: the build resizes imported images/),
  ])
})

test.each([
  [['md', 'mdx', 'tsx'], ['app/page.tsx', 'app/README.md', 'content/page.md'], []],
  [['md', 'mdx', 'tsx'], ['app/docs/page.md', 'app/page.tsx'], ['app/docs/page.md']],
  [
    ['page.tsx', 'page.ts'],
    ['src/app/a/page.page.tsx', 'src/middleware.page.ts'],
    ['src/app/a/page.page.tsx, src/middleware.page.ts'],
  ],
  [['tsx'], ['app/page.jsx'], []],
  [
    ['p.tsx'],
    ['app/page.p.tsx', 'app/layout.p.tsx', 'app/a/page.p.tsx', 'app/b/page.p.tsx'],
    ['app/a/page.p.tsx and 3 more'],
  ],
])('pageExtensions %j with the files %j', async (extensions, files, named) => {
  const { lines } = await read(
    `export default { pageExtensions: ${JSON.stringify(extensions)} }`,
    files,
  )
  const rule = 'next.config.ts: pageExtensions: route files end in .tsx, .ts, .jsx, .js or .mdx.'
  expect(lines).toEqual(named.map((each) => `${rule} Rename ${each}.`))
})

test('each key of compiler has its own line', async () => {
  const { lines } = await read(
    'export default { compiler: { runAfterProductionCompile() {}, emotion: true, removeConsole: false } }',
  )
  expect(lines).toEqual([
    expect.stringMatching(/compiler\.runAfterProductionCompile: .* after waymark build\.$/),
    expect.stringMatching(/compiler\.emotion: Vite compiles the code/),
  ])
})

test('each key without effect has one line', async () => {
  const { lines } = await read(
    'export default { skipTrailingSlashRedirect: true, madeUp: 1, reactStrictMode: true, webpack: undefined }',
  )
  expect(lines).toEqual([
    expect.stringMatching(/^next\.config\.ts: skipTrailingSlashRedirect: trailingSlash decides/),
    'next.config.ts: madeUp: Waymark ignores it.',
  ])
})

test.each([
  [
    "export default { redirects: () => [{ source: '/a', destination: '/b', permanent: true }, { source: '/:any', destination: '/a', permanent: true }] }",
    /^next\.config\.ts: the redirects form a loop: \/b leads to \/a leads to \/b\. Remove one of them\.$/,
  ],
  ["throw new Error('no database')", /^next\.config\.ts can't be read: no database/],
  ["export default () => { throw new Error('boom') }", /^next\.config\.ts can't be read: boom/],
  [
    "export default { headers: () => { throw new Error('boom') } }",
    /next\.config\.ts: headers\(\) failed: boom/,
  ],
  ['export const a = 1', /must have an object, or a function/],
  [
    "export default { redirects: () => [{ source: '/a/:', destination: '/' }] }",
    /next\.config\.ts: The source "\/a\/:" can't be parsed/,
  ],
])('%s is refused', async (code, message) => {
  await expect(read(code)).rejects.toThrow(message)
})
