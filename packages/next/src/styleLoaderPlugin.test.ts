import { expect, test } from 'vitest'
import { runLoader } from './styleLoaderPlugin.ts'

type Loader = Parameters<typeof runLoader>[0]

const loaders: readonly (readonly [string, Loader])[] = [
  ['returns its result', (css) => `${css} b`],
  ['returns a promise', async (css) => `${css} b`],
  [
    'calls back at once',
    function (css) {
      this.callback(null, `${css} b`)
    },
  ],
  [
    'calls back later',
    function (css) {
      const done = this.async()
      setImmediate(() => done(null, Buffer.from(`${css} b`)))
    },
  ],
]

/** Runs a loader, and collects its dependencies and warnings. */
async function run(loader: Loader) {
  const reported: unknown[] = []
  const report = {
    onFile: (file: string) => void reported.push(file),
    onFolder: (folder: string) => void reported.push(folder),
    onWarning: (warning: unknown) => void reported.push(warning),
  }
  const options = { to: 'red' }
  const css = await runLoader(loader, 'a', {
    file: '/app/a.css',
    root: '/app',
    options,
    mode: 'development',
    report,
  })
  return { css, reported }
}

test.each(loaders)('a loader that %s changes the style sheet', async (_, loader) => {
  expect((await run(loader)).css).toBe('a b')
})

test('a loader reads its options, and reports dependencies and warnings', async () => {
  const { css, reported } = await run(function () {
    this.addDependency('/app/b.css')
    this.addContextDependency('/app/pages')
    this.emitWarning('old syntax')
    return JSON.stringify([this.resourcePath, this.getOptions()])
  })
  expect(css).toBe('["/app/a.css",{"to":"red"}]')
  expect(reported).toEqual(['/app/b.css', '/app/pages', 'old syntax'])
})

test('a loader that fails rejects with its error', async () => {
  const failing: readonly Loader[] = [
    () => {
      throw new Error('no theme')
    },
    function () {
      this.async()(new Error('no theme'))
    },
  ]
  for (const loader of failing) await expect(run(loader)).rejects.toThrow('no theme')
})
