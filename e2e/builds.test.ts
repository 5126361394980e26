import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

/** Returns hashes of files by path. */
function hashesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [relative(folder, path), hash.slice(0, 12)]
    }),
  )
}

// Leave out source maps, because they contain the folder of their sources.
const isMap = ([file]: [string, string]) => file.startsWith('maps/')

// Allow for two builds that run in sequence.
const timeout = 180_000

test('two builds in different folders, started in different places, are equal', {
  timeout,
}, async () => {
  const first = copyApp({ app: 'fleet' })
  const second = join(inject('workFolder'), 'some/where', 'else')
  mkdirSync(dirname(second), { recursive: true })
  cpSync(first, second, { recursive: true })
  onTestFinished(() => {
    for (const root of [first, dirname(dirname(second))]) rmSync(root, { recursive: true })
  })
  // Set a secret, because otherwise each folder would have a different one.
  const env = { WAYMARK_SECRET: 'a secret of the tests, long enough' }
  const built = [
    await runWaymark(['build'], first, env),
    await runWaymark(['build', second], '/', env),
  ]
  expect(built.map(({ exitCode, output }) => [exitCode, exitCode ? output : ''])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const [one, two] = [first, second].map((root) =>
    Object.entries(hashesOf(join(root, '.waymark'))).filter((file) => !isMap(file)),
  )
  expect(one?.length).toBeGreaterThan(20)
  expect(two).toEqual(one)
})

test('a plugin before waymark() that changes React does not break a build or a speedup', {
  timeout,
}, async () => {
  const config = `import { speedups } from '@waymark/speedups/vite'
import { waymark } from 'waymark/vite'

const change = (code) => code.replace('var serializedSize = 0;', 'var serializedSize = 1 - 1;')
export default {
  plugins: [
    {
      name: 'other',
      enforce: 'pre',
      transform: (code, id) => (id.includes('.production.js') ? change(code) : null),
    },
    waymark(),
    speedups(),
  ],
}
`
  const root = copyApp({ app: 'fleet', files: { 'vite.config.ts': config } })
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { exitCode, output } = await runWaymark(['build'], root)
  expect([exitCode, exitCode ? output : '']).toEqual([0, ''])
  expect(output).not.toContain('skipped')
})

test('a build bundles the files of React and plugin-rsc unchanged', { timeout }, async () => {
  const config = `import { readFileSync, writeFileSync } from 'node:fs'
import { waymark } from 'waymark/vite'

const files = /node_modules\\/(?:react|react-dom|scheduler|@vitejs\\/plugin-rsc)\\//
// plugin-rsc itself replaces the name of a function in React's runtime.
const asPluginWrites = (text) =>
  text.replaceAll('__webpack_require__.u', '({}).u').replaceAll('__webpack_require__', '__vite_rsc_require__')
const bundled = {}
const compare = {
  name: 'compare',
  enforce: 'post',
  transform: {
    order: 'post',
    handler(code, id) {
      const { name, config } = this.environment
      if (!config.build.write || id.startsWith('\\0') || !files.test(id)) return
      const text = readFileSync(id.replace(/\\?.*$/, ''), 'utf8')
      bundled[name + ' ' + id] = code === text || code === asPluginWrites(text)
    },
  },
  closeBundle: () => writeFileSync('bundled.json', JSON.stringify(bundled)),
}

export default { plugins: [waymark(), compare] }
`
  const root = copyApp({ app: 'core', files: { 'vite.config.ts': config } })
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
  const bundled = Object.entries(JSON.parse(readFileSync(join(root, 'bundled.json'), 'utf8')))
  expect(bundled.filter(([, isSame]) => !isSame)).toEqual([])
  const ids = bundled.map(([id]) => id).join('\n')
  expect(ids).toMatch(/^rsc .*react-server-dom-webpack-server\.node\.production\.js$/m)
  expect(ids).toMatch(/^ssr .*react-dom-server\.node\.production\.js$/m)
  expect(ids).toMatch(/^client .*react-dom-client\.production\.js$/m)
})
