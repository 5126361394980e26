import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createServer, isRunnableDevEnvironment } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  explainFetch,
  explainTransform,
  explainUnresolved,
  syntaxPlugin,
  unresolvedImportsPlugin,
} from './moduleErrors.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'module-errors-')))

const files = {
  'installed.ts': '',
  'package.ts':
    "import type { A } from 'types'\nimport './installed.ts'\n\nimport '@scope/lost/part'\n",
  'file.ts': "import { a } from './nope.ts'\nconsole.log(a)\n",
  'later.ts': "export const load = () => import('./nope.ts')\n",
  'alias.ts': "import '@/nope.ts'\n",
  'syntax.tsx': '\nconst a = <h1a</h1>\n',
  'refused.ts': "import 'refused'\n",
  'fine.ts': "import './installed.ts'\n",
}

for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)

function refuse(source: string): null {
  if (source === 'refused') throw new Error('refused')
  return null
}

const install = 'which is not installed. Run npm install @scope/lost, or correct the name.'

describe('in the dev server', () => {
  let server: Awaited<ReturnType<typeof createServer>>

  beforeAll(async () => {
    server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [{ name: 'refusing', resolveId: refuse }],
      resolve: { alias: { '@': root } },
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    })
  })

  afterAll(() => server.close())

  async function failureOf(name: string) {
    const { client } = server.environments
    const thrown = await client.transformRequest(`/${name}`).catch((error: unknown) => error)
    await explainTransform(thrown, client)
    return thrown
  }

  test.each([
    ['package.ts', `package.ts imports @scope/lost/part, ${install}`, 4, 8],
    ['file.ts', 'file.ts imports ./nope.ts, which does not exist. Correct the path.', 1, 19],
    ['later.ts', 'later.ts imports ./nope.ts, which does not exist. Correct the path.', 1, 34],
  ])(
    "%s: the error names the import that the browser can't load",
    async (name, message, line, column) => {
      const loc = { file: join(root, name), line, column }
      expect(await failureOf(name)).toMatchObject({ message, loc, id: loc.file })
    },
  )

  test('an import through an alias is named, too', async () => {
    expect(await failureOf('alias.ts')).toMatchObject({
      message: expect.stringMatching(/^alias\.ts imports .*nope\.ts, which does not exist/),
    })
  })

  test("a syntax error has a message, a position, and the bundler's lines", async () => {
    expect(await failureOf('syntax.tsx')).toMatchObject({
      message: expect.stringMatching(/^[A-Z][^[\n]+$/),
      loc: { file: join(root, 'syntax.tsx'), line: 2, column: 16 },
      plugin: syntaxPlugin,
      frame: expect.stringContaining('2 │ const a = <h1a</h1>'),
    })
  })

  test("an import refused by a plugin keeps the plugin's message", async () => {
    expect(await failureOf('refused.ts')).toMatchObject({
      message: 'refused',
      id: join(root, 'refused.ts'),
    })
  })

  test('any other failure stays unchanged', async () => {
    const error = Object.assign(new Error('no'), { plugin: 'vite:import-analysis', id: 'a.ts' })
    await explainTransform(error, server.environments.client)
    expect(error.message).toBe('no')
    expect(await failureOf('fine.ts')).not.toBeInstanceOf(Error)
  })

  test.each([
    ['package.ts', '@scope/lost/part', /^package\.ts imports @scope\/lost\/part, which is not/],
    ['file.ts', './nope.ts', /^file\.ts imports \.\/nope\.ts, which does not exist/],
  ])("%s: the error names the import that the server can't load", async (name, source, message) => {
    const { ssr } = server.environments
    if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite has no ssr environment.')
    const thrown = await ssr.runner.import(`/${name}`).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code: expect.stringMatching(/^ERR_/) })
    explainFetch(thrown, { source, importer: join(root, name) }, root)
    // The app may catch the error and read its code.
    const code = expect.stringMatching(/^ERR_/)
    expect(thrown).toMatchObject({ message: expect.stringMatching(message), code })
  })

  test("an import in a module without a file keeps Vite's message", () => {
    const error = Object.assign(new Error('no'), { code: 'ERR_LOAD_URL' })
    explainFetch(error, { source: './a.ts', importer: '\0virtual:routes' }, root)
    expect(error.message).toBe('no')
  })
})

describe('in a build', () => {
  async function errorsOf(name: string, onwarn?: () => void) {
    const failed = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [unresolvedImportsPlugin()],
      build: {
        write: false,
        rolldownOptions: { input: join(root, name), ...(onwarn && { onwarn }) },
      },
    }).catch((error: unknown) => error)
    const { errors = [] } = failed as { errors?: Error[] }
    explainUnresolved(errors, root)
    return errors
  }

  test.each([
    ['package.ts', `package.ts imports @scope/lost/part, ${install}`],
    ['file.ts', 'file.ts imports ./nope.ts, which does not exist. Correct the path.'],
  ])("%s: the error names the import that can't be resolved", async (name, message) => {
    const [error, ...others] = await errorsOf(name)
    expect(error).toMatchObject({ message, id: join(root, name) })
    expect(others).toEqual([])
  })

  test('an app that handles warnings itself may ignore a missing package', async () => {
    expect(await errorsOf('package.ts', () => {})).toEqual([])
  })

  test('the error for an import from another framework names the package to install', () => {
    const exporter = ['next', 'link'].join('/')
    const error = Object.assign(new Error(), { code: 'UNRESOLVED_IMPORT', exporter, id: '/r/a.ts' })
    const other = Object.assign(new Error('another'), { exporter, id: '/r/a.ts' })
    explainUnresolved([error, other], '/r')
    expect(error.message).toMatch(new RegExp(`^a.ts imports ${exporter}, which belongs to another`))
    expect(error.message).toContain('@waymark/next')
    expect(other.message).toBe('another')
  })
})
