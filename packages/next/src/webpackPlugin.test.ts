import { expect, test } from 'vitest'
import { readWebpack } from './webpackFunction.ts'
import { webpackPlugin } from './webpackPlugin.ts'

type Load = (this: object, id: string) => Promise<unknown>

/** Loads a file with the plugin. The rule for the file has an unsupported loader. */
function load(test: RegExp, file: string) {
  const facts = readWebpack(
    {
      webpack: (config) => {
        config.module.rules.push({ test, use: [{ loader: 'some/valueLoader.js' }] })
        return config
      },
    },
    '/app',
  )
  const { handler } = webpackPlugin('/app', facts).load as unknown as { handler: Load }
  const context = {
    environment: { mode: 'build' },
    error: (message: string) => {
      throw new Error(message)
    },
  }
  return { notes: facts.notes, loaded: handler.call(context, file) }
}

test.each([
  [/[^/]*\/instrumentation\.[^/]*$/, '/app/src/instrumentation.ts'],
  [/[^/]*\/instrumentation\.[^/]*$/, '/app/node_modules/a/instrumentation.js'],
  [/\.worker\.js$/, '/app/count.worker.js'],
  [/theme\.module/, '/app/theme.module.css'],
])('a loader for %s leaves %s to Vite, with a note', async (pattern, file) => {
  const { notes, loaded } = load(pattern, file)
  expect(await loaded).toBe(null)
  expect(notes).toEqual([expect.stringContaining('some/valueLoader.js')])
})

test("a file that can't be loaded without its loader is an error that names the file", async () => {
  const { loaded } = load(/\.toml$/, '/app/settings.toml')
  await expect(loaded).rejects.toThrow('settings.toml is loaded by some/valueLoader.js')
})

// `withSentryConfig()` adds such a rule, in this form if it runs without webpack.
test("Sentry's settings reach the instrumentation files of the app", () => {
  const loader = '/app/node_modules/@sentry/nextjs/build/cjs/loaders/valueInjectionLoader.js'
  const values = { _sentryRewritesTunnelPath: '/monitoring', SENTRY_RELEASE: undefined }
  const rule = { loaders: [{ loader, options: { values } }] }
  const facts = readWebpack({ turbopack: { rules: { '**/instrumentation.*': rule } } }, '/app')
  expect(facts.notes).toEqual([])
  const { handler } = webpackPlugin('/app', facts).transform as unknown as {
    handler(code: string, id: string): { code: string } | null
  }
  const set = 'globalThis["_sentryRewritesTunnelPath"] = "/monitoring";'
  const code = "// first\n'use client'\nimport 'a'\n"
  expect(handler(code, '/app/src/instrumentation.ts')?.code).toBe(
    `// first\n'use client'\n${set}import 'a'\n`,
  )
  expect(handler(code, '/app/src/other.ts')).toBe(null)
})
