import remarkGfm from 'remark-gfm'
import { expect, test } from 'vitest'
import { readWebpack } from './webpackFunction.ts'
import { importMdxPlugins } from './webpackRules.ts'

// biome-ignore lint/suspicious/noExplicitAny: authors write this function for webpack's types
type Run = (config: any, options: any) => any

const read = (webpack: Run) => readWebpack({ webpack }, '/app')
const importOf = (facts: ReturnType<typeof read>, file: string, query = '') =>
  facts.files.find(({ matches }) => matches(file, query))?.import.as

test('the rules of SVGR import SVG files as components, and with ?url as images', () => {
  const facts = read((config) => {
    const fileLoaderRule = config.module.rules.find((rule: { test?: RegExp }) =>
      rule.test?.test?.('.svg'),
    )
    config.module.rules.push(
      { ...fileLoaderRule, test: /\.svg$/i, resourceQuery: /url/ },
      {
        test: /\.svg$/i,
        issuer: fileLoaderRule.issuer,
        resourceQuery: { not: [...fileLoaderRule.resourceQuery.not, /url/] },
        use: [{ loader: '@svgr/webpack', options: { icon: true } }],
      },
    )
    fileLoaderRule.exclude = /\.svg$/i
    return config
  })
  expect(importOf(facts, '/app/a.svg')).toBe('component')
  expect(importOf(facts, '/app/a.svg', '?url')).toBe('image')
  expect(importOf(facts, '/app/a.png')).toBe(undefined)
  expect(facts.notes).toEqual([])
})

test('the rules of turbopack do the same', () => {
  const rules = { '*.svg': { loaders: ['@svgr/webpack'], as: '*.js' }, '*.txt': ['raw-loader'] }
  for (const config of [{ turbopack: { rules } }, { experimental: { turbo: { rules } } }]) {
    const facts = readWebpack(config, '/app')
    expect(importOf(facts, '/app/a.svg')).toBe('component')
    expect(importOf(facts, '/app/a.txt')).toBe('text')
  }
})

test('loaders that Turbopack runs for style sheets are run, except those that Vite replaces', () => {
  const rules = {
    '*.css': { loaders: ['@tailwindcss/turbopack'], as: '*.css' },
    '*.module.css': { loaders: ['css-loader', { loader: './own.js', options: { a: 1 } }] },
    '*.pcss': { loaders: ['postcss-loader'], as: '*.css' },
  }
  const { styles, notes } = readWebpack({ turbopack: { rules } }, '/app')
  expect(styles.map(({ loaders }) => loaders.map(({ request }) => request))).toEqual([
    ['@tailwindcss/turbopack'],
    ['./own.js'],
  ])
  expect(styles.map(({ matches }) => matches('/app/a.css', ''))).toEqual([true, false])
  expect(notes.join()).not.toContain('tailwindcss')
})

test.each([
  [{ test: /\.glsl$/, type: 'asset/source' }, 'a.glsl', 'text'],
  [{ test: /\.(mp3|mp4)$/, use: { loader: 'file-loader' } }, 'a.mp4', 'url'],
  [{ oneOf: [{ test: /\.pdf$/, type: 'asset/resource' }] }, 'a.pdf', 'url'],
  [{ test: /\.svg$/, use: ['@svgr/webpack'] }, 'a.svg', 'component'],
  [{ test: /\.ya?ml$/, use: 'yaml-loader' }, 'a.yaml', 'unknown'],
])('with the rule %j, %s is imported as %s', (rule, file, as) => {
  const facts = read((config) => {
    config.module.rules.push(rule)
    return config
  })
  expect(importOf(facts, `/app/${file}`)).toBe(as)
  expect(facts.notes.length).toBe(as === 'unknown' ? 1 : 0)
})

test('MDX plugins are passed to the MDX compiler, also if a string names them', async () => {
  const plugin = () => {}
  const facts = read((config, options) => {
    const loader = {
      loader: '@next/mdx/mdx-js-loader.js',
      options: { remarkPlugins: [plugin, ['remark-gfm', { singleTilde: false }]] },
    }
    config.module.rules.push({ test: /\.mdx$/, use: [options.defaultLoaders.babel, loader] })
    return config
  })
  expect(facts.notes).toEqual([])
  // The app of this test is this repository, which has remark-gfm.
  const context = { root: process.cwd(), file: 'next.config.mjs' }
  expect(await importMdxPlugins(facts.mdx, context)).toEqual({
    remarkPlugins: [[plugin], [remarkGfm, { singleTilde: false }]],
  })
  const missing = importMdxPlugins({ rehypePlugins: ['rehype-missing'] }, context)
  await expect(missing).rejects.toThrow(/next\.config\.mjs names the plugin rehype-missing/)
})

test('a rule of turbopack may have the name of a condition', () => {
  const turbopack = {
    rules: { '#next-mdx': { loaders: ['@next/mdx/mdx-js-loader.js'], as: '*.tsx' } },
    conditions: { '#next-mdx': { path: /\.mdx$/ } },
  }
  const { notes, files } = readWebpack({ turbopack }, '/app')
  expect([notes, files]).toEqual([[], []])
})

test('a rule of turbopack applies to the files that its condition matches', () => {
  const rules = {
    '{*,next-mdx-rule}': [
      {
        loaders: [{ loader: '@next/mdx/mdx-rs-loader.js', options: { mdxType: 'gfm' } }],
        as: '*.tsx',
        condition: { path: /\.mdx$/ },
      },
    ],
    '{*.txt,*.text}': ['raw-loader'],
  }
  const facts = readWebpack({ turbopack: { rules } }, '/app')
  expect(facts.notes).toEqual([])
  expect(facts.mdx).toEqual({ remarkPlugins: ['remark-gfm'] })
  expect(importOf(facts, '/app/a.text')).toBe('text')
  expect(importOf(facts, '/app/a.text.png')).toBe(undefined)
})

test('fallbacks, aliases and externals are read', () => {
  const facts = read((config, { isServer }) => {
    if (!isServer) config.resolve.fallback = { ...config.resolve.fallback, fs: false, net: false }
    config.resolve.alias = { ...config.resolve.alias, canvas: false, own$: './src/own.ts' }
    config.externals.push('pino-pretty', { encoding: 'commonjs encoding' })
    return config
  })
  expect(facts.empty).toEqual({ client: ['fs', 'net', 'canvas'], server: ['canvas'] })
  expect(facts.aliases).toEqual({ own: '/app/src/own.ts' })
  expect([...new Set(facts.external)]).toEqual(['pino-pretty', 'encoding'])
  expect(facts.notes).toEqual([])
})

test('DefinePlugin and IgnorePlugin are read', () => {
  const facts = read((config, { webpack }) => {
    config.plugins.push(
      new webpack.DefinePlugin({ __BUILT__: JSON.stringify('now'), __COUNT__: 1 }),
      new webpack.IgnorePlugin({ resourceRegExp: /^pg-native$/ }),
      new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 }),
    )
    return config
  })
  expect(facts.define).toEqual({ __BUILT__: '"now"', __COUNT__: '1' })
  expect(facts.ignored.some((pattern) => pattern.test('pg-native'))).toBe(true)
  expect(facts.notes).toEqual([])
})

test.each<[string, Run, RegExp]>([
  [
    'a plugin',
    (config, { webpack }) => {
      config.plugins.push(new webpack.ProvidePlugin({ $: 'jquery' }))
      return config
    },
    /the plugin ProvidePlugin has no effect\. Instead, import its modules/,
  ],
  [
    "a package's plugin that a script can replace",
    (config) => {
      class ContentlayerWebpackPlugin {}
      config.plugins.push(new ContentlayerWebpackPlugin())
      return config
    },
    /the plugin ContentlayerWebpackPlugin has no effect\. Instead, run contentlayer before waymark/,
  ],
  [
    'a loader for code',
    (config) => {
      config.module.rules.push({ test: /\.tsx?$/, use: '@linaria/webpack-loader' })
      return config
    },
    /the loader @linaria\/webpack-loader has no effect/,
  ],
  [
    'externals as a function',
    (config) => {
      config.externals = [() => {}]
    },
    /List the packages in serverExternalPackages/,
  ],
  [
    'an entry',
    (config) => {
      config.entry = async () => ({})
      return config
    },
    /instrumentation-client\.ts/,
  ],
  [
    'resolve.modules',
    (config) => {
      config.resolve.modules.push('src')
      return config
    },
    /"paths"/,
  ],
  ['a function that fails', (config) => config.none.push(1), /runs without webpack, and it failed/],
])('%s is reported once, with an alternative', (_, run, note) => {
  expect(read(run).notes).toEqual([expect.stringMatching(note)])
})
