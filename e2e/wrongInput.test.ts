import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'

type Files = Readonly<Record<string, string>>

/** A mistake that Waymark once ignored silently, and the message that it must cause now. */
type Mistake = readonly [name: string, files: Files, path: string, said: RegExp]

const clientWithCookies = {
  'app/who/page.tsx': `import { Who } from './who.tsx'
export default function Page() { return <Who /> }
`,
  'app/who/who.tsx': `'use client'
import { readUser } from './user.ts'
export function Who() { return <button onClick={() => void readUser()}>Who</button> }
`,
  'app/who/user.ts': `import { cookies } from 'waymark/server'
export const readUser = async () => (await cookies()).get('user')
`,
}

const page = 'export default function Page() { return <h1>Page</h1> }\n'

const middleware: Mistake = [
  'a middleware.ts',
  {
    'middleware.ts':
      'export function middleware() { return new Response(null, { status: 403 }) }\n',
  },
  '/',
  /middleware\.ts .*would be ignored.*proxy\.ts/,
]

const interception: Mistake = [
  'an interception of a path that does not exist',
  {
    'app/@modal/default.tsx': 'export default () => null\n',
    'app/@modal/(.)nothing/page.tsx': page,
  },
  '/',
  /app\/@modal\/\(\.\)nothing\/page\.tsx intercepts navigations to \/nothing/,
]

// `routeConfig.test.ts` has further values that an export can't have.
const mistakes: readonly Mistake[] = [
  middleware,
  [
    'an unknown value of dynamic',
    { 'app/wrong/page.tsx': `export const dynamic = 'force-dynamik'\n${page}` },
    '/wrong',
    /app\/wrong\/page\.tsx exports dynamic = 'force-dynamik'/,
  ],
  [
    'the runtime of another router',
    { 'app/wrong/page.tsx': `export const runtime = 'edge'\n${page}` },
    '/wrong',
    /app\/wrong\/page\.tsx exports runtime = 'edge'.*all routes run on the same host/,
  ],
  [
    'params of another name',
    {
      'app/trails/[slug]/page.tsx': `export const generateStaticParams = () => [{ slg: 'a' }]\n${page}`,
    },
    '/trails/a',
    /app\/trails\/\[slug\]\/page\.tsx returned \{"slg":"a"\}.*slug/,
  ],
  [
    'the server in a client component',
    clientWithCookies,
    '/who',
    /app\/who\/user\.ts imports waymark\/server.*who\.tsx/,
  ],
  [
    'a root layout without <html>',
    {
      'app/layout.tsx':
        'export default function Layout({ children }: { children: unknown }) { return <main>{children as string}</main> }\n',
    },
    '/',
    /app\/layout\.tsx is the root layout.*does not render <html>/,
  ],
  interception,
  [
    'an image that no browser would show',
    { 'app/shop/icon.webp': 'x' },
    '/',
    /app\/shop\/icon\.webp can't be used as a page's image.*Convert it/,
  ],
]

describe('ignored settings', () => {
  test.each(mistakes)('fail a build: %s', async (_, files, _path, message) => {
    const root = copyApp({ app: 'basic', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(output).toMatch(message)
    expect(exitCode).toBe(1)
  })

  test('fail the page of a dev server that starts with them', async () => {
    const [, files, path, message] = middleware
    const app = await startApp({ app: 'basic', files, mode: 'dev' })
    onTestFinished(() => app.stop())
    const response = await fetch(app.origin + path)
    expect(response.status).toBe(500)
    await expect.poll(app.logs).toMatch(message)
  })

  test('are a warning if the app can run without them', async () => {
    const files = {
      'app/wrong/page.tsx': `'use client'\nexport const revalidate = 60\n${page}`,
      'app/shop/favicon.ico': 'x',
      'app/shop/robots.txt': 'User-agent: *',
      'app/@side/other/page.tsx': page,
    }
    const root = copyApp({ app: 'basic', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(output).toMatch(/app\/wrong\/page\.tsx exports revalidate = 60.*'use client'/)
    expect(output).toContain('app/shop/favicon.ico is ignored, because a favicon file')
    expect(output).toContain('app/shop/robots.txt is ignored, because a robots file')
    expect(output).toContain('The slot @side has no page at /')
    expect(exitCode).toBe(0)
  })

  test("of Vite's base fail both", async () => {
    const config = `import { waymark } from 'waymark/vite'
export default { base: '/shop/', plugins: [waymark()] }
`
    const root = copyApp({ app: 'basic', files: { 'vite.config.ts': config } })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    for (const command of ['build', 'dev']) {
      const { exitCode, output } = await runWaymark([command], root)
      expect(output).toMatch(/base is '\/shop\/'.*basePath: '\/docs'/)
      expect(exitCode).toBe(1)
    }
  })
})

describeModes('a running dev server', { app: 'basic', modes: ['dev'] }, (served) => {
  const expectWorking = () =>
    expect.poll(async () => (await served.fetch('/')).status, { message: '/' }).toBe(200)

  test.each(mistakes)('fails the page: %s', async (_, files, path, message) => {
    await expectWorking()
    const before = served.app.logs().length
    onTestFinished(lay(served.app.root, files))
    await expect.poll(async () => (await served.fetch(path)).status).toBe(500)
    await expect.poll(() => served.app.logs().slice(before)).toMatch(message)
  })

  test('shows the page again without the mistakes', expectWorking)
})

// The watcher reports nothing about a file that is deleted before it was reported as added. Ignored
// folders have the same effect each time.
const unwatched = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'
const ignored = ['**/@modal/**', '**/unwatched/**']
export default { plugins: [waymark()], server: { watch: { ignored } } }
`,
  'tsconfig.json': '{}',
}

describeModes(
  'a dev server whose watcher misses files',
  { app: 'basic', files: unwatched, modes: ['dev'] },
  (served) => {
    const statusOf = async (path: string) => (await served.fetch(path)).status
    const types = () => readFileSync(join(served.app.root, 'waymark-routes.d.ts'), 'utf8')

    test('shows the page again once a mistake is removed', async () => {
      const [, mistake] = interception
      expect(await statusOf('/')).toBe(200)
      const removeMistake = lay(served.app.root, mistake)
      // The event of this file makes the server read the app folder again.
      onTestFinished(lay(served.app.root, { 'app/other/page.tsx': page }))
      await expect.poll(() => statusOf('/')).toBe(500)
      removeMistake()
      expect(await statusOf('/')).toBe(200)
    })

    test('finds a page that was added, and forgets one that was deleted', async () => {
      const added = { 'app/unwatched/added/page.tsx': page }
      expect(await statusOf('/unwatched/added')).toBe(404)
      onTestFinished(lay(served.app.root, added))
      await expect.poll(() => statusOf('/unwatched/added')).toBe(200)
      await expect.poll(types).toContain("'/unwatched/added'")

      const remove = lay(served.app.root, { 'app/unwatched/deleted/page.tsx': page })
      onTestFinished(lay(served.app.root, { 'app/next/page.tsx': page }))
      await expect.poll(() => statusOf('/next')).toBe(200)
      await expect.poll(types).toContain("'/unwatched/deleted'")
      remove()
      await expect.poll(() => statusOf('/unwatched/deleted')).toBe(404)
      await expect.poll(types).not.toContain("'/unwatched/deleted'")
    })
  },
)

/**
 * Writes files into a running app.
 * @returns a function that restores the app's own files
 */
function lay(root: string, files: Files): () => void {
  const paths = Object.keys(files).map((file) => join(root, file))
  const texts = paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : null))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return () => {
    for (const [index, path] of paths.entries()) {
      const text = texts[index]
      if (typeof text === 'string') writeFileSync(path, text)
      else rmSync(path)
    }
  }
}

describe('types', () => {
  const files = {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        jsx: 'react-jsx',
        module: 'preserve',
        noEmit: true,
        skipLibCheck: true,
        types: [],
      },
      include: ['app/count.ts'],
    }),
    'app/count.ts': "export const count: number = 'three'\n",
  }

  test('are checked by a build with the option, and a build without it says so', async () => {
    const root = copyApp({ app: 'basic', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const plain = await runWaymark(['build'], root)
    expect(plain.output).toContain('Types were not checked. To check them, run npx tsc')
    expect(plain.exitCode).toBe(0)
    const checked = await runWaymark(['build', '--types'], root)
    expect(checked.output).toMatch(
      /app\/count\.ts.*TS2322[\s\S]*The build stopped because of type errors/,
    )
    expect(checked.exitCode).toBe(1)
  })
})

describe('packages with machine code', () => {
  const files = {
    'node_modules/native-thing/package.json': JSON.stringify({
      name: 'native-thing',
      main: 'index.js',
      gypfile: true,
      dependencies: { bindings: '*' },
    }),
    // Look for the addon next to the package's own file, as the package `bindings` does.
    'node_modules/native-thing/index.js':
      'exports.where = require("node:path").basename(require("node:path").dirname(__filename))\n',
    'app/native/page.tsx': `import { where } from 'native-thing'
export default function Page() { return <h1>{where}</h1> }
`,
  }

  test('stay out of the bundle, and the build lists them', async () => {
    const root = copyApp({ app: 'basic', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(exitCode, output).toBe(0)
    expect(output).toContain('The server needs these packages installed: native-thing')
    rmSync(join(root, 'node_modules/native-thing'), { recursive: true })
    const started = await runWaymark(['start', '--port', '0'], root)
    expect(started.output).toMatch(/needs packages that are not installed here: native-thing\./)
    expect(started.exitCode).toBe(1)
  })

  test('are reported if an addon is imported directly', async () => {
    const root = copyApp({
      app: 'basic',
      files: {
        'app/thing.node': '\u007fELF',
        'app/native/page.tsx': `import thing from '../thing.node'\n${page.replace('Page</h1>', '{typeof thing}</h1>')}`,
      },
    })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(output).toMatch(/native\/page\.tsx imports \.\.\/thing\.node, which is machine code/)
    expect(exitCode).toBe(1)
  })
})
