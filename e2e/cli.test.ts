import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { expectMeasuredSizes } from './harness/scriptBytes.ts'

const missingReference = '.env:4: In the value of DATABASE_PASSWORD, a dollar sign'

/** Copies the app for a single test. */
function appWith(files: Readonly<Record<string, string>> = {}): string {
  const root = copyApp({ app: 'cli', files })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Occupies a port of the loopback address for the duration of a test. */
async function takePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

describe('the command line', () => {
  test('prints help', async () => {
    const general = await runWaymark(['--help'], '.')
    expect(general.exitCode).toBe(0)
    expect(general.output).toMatch(/^Usage: waymark <command>/)
    const build = await runWaymark(['build', '--help'], '.')
    expect(build).toMatchObject({ exitCode: 0, output: expect.stringContaining('--types') })
    expect((await runWaymark(['--version'], '.')).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('documents its commands and options in the guide', async () => {
    const guide = readFileSync(new URL('../site/app/guide/cli/page.mdx', import.meta.url), 'utf8')
    // Use the site, because it lists every package that has commands.
    const site = join(root, 'site')
    const { output } = await runWaymark(['--help'], site)
    const commands = [...output.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name ?? '')
    expect(commands.length).toBeGreaterThan(11)
    for (const command of commands) {
      expect(guide).toContain(`| \`${command}\` |`)
      const help = await runWaymark([command, '--help'], site)
      for (const [option] of help.output.matchAll(/--[a-z][a-z-]*/g)) {
        if (option !== '--help') expect(guide, `${command} ${option}`).toContain(`\`${option}`)
      }
    }
  })

  test.each([
    [['bild'], expect.stringMatching(/^There is no command bild\.\nThe commands are dev, build, /)],
    [['build', '--statc'], expect.stringMatching(/'--statc'.*\nSee waymark build --help\.\n$/)],
    [['start', '--port', 'http'], "--port can't be http.\nA port is a number from 0 to 65535.\n"],
    [
      ['build', '--out', 'x'],
      expect.stringContaining("then waymark({ adapter: staticSite({ out: 'public_html' }) })."),
    ],
  ])('rejects %j', async (args, output) => {
    expect(await runWaymark(args, appWith())).toMatchObject({ exitCode: 2, output })
  })

  test('prints the versions of all packages for a bug report', async () => {
    const { exitCode, output } = await runWaymark(['info', '--json'], appWith())
    expect(exitCode, output).toBe(0)
    const { system, ...versions } = JSON.parse(output)
    expect(system).toContain('cores')
    const names = ['react', 'vite', '@vitejs/plugin-react', '@vitejs/plugin-rsc']
    expect(Object.keys(versions)).toEqual(expect.arrayContaining(names))
    for (const [name, version] of Object.entries(versions)) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/)])
    }
  })

  test('lists routes without a build', async () => {
    const { exitCode, stdout } = await runWaymark(
      ['routes', '--json'],
      appWith({ 'app/sitemap.ts': 'export default () => []\n' }),
    )
    expect(exitCode).toBe(0)
    const listed = JSON.parse(stdout)
    const pattern = '/blog/[slug]'
    const file = 'blog/[slug]/page.tsx'
    expect(listed).toContainEqual({ pattern, kind: 'page', file })
    expect(listed).toContainEqual({ pattern: '/sitemap.xml', kind: 'route', file: 'sitemap.ts' })
  })

  test('says what to do if there is nothing to start', async () => {
    const { exitCode, output } = await runWaymark(['start'], appWith())
    expect(exitCode).toBe(1)
    expect(output).toMatch(/has no build of the app\. Run waymark build first\. \(NO_BUILD\)\n$/)
  })

  test('names a port that is already in use', async () => {
    const port = await takePort()
    const { exitCode, output } = await runWaymark(
      ['dev', '--host', '::', '--port', `${port}`],
      appWith(),
    )
    expect(exitCode).toBe(1)
    expect(output).toContain(`Port ${port} is used by another program.`)
  })

  test('names a public file and a metadata file with the same URL', async () => {
    const root = appWith({ 'app/robots.ts': 'export default () => ({ rules: {} })\n' })
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(exitCode).toBe(1)
    expect(output).toContain('Two files match /robots.txt: app/robots.ts and public/robots.txt.')
  })

  test('names a metadata file in the wrong place', async () => {
    const root = appWith({ 'app/blog/robots.ts': 'export default () => ({ rules: {} })\n' })
    const { exitCode, output } = await runWaymark(['routes'], root)
    expect(exitCode).toBe(0)
    expect(output).toContain('app/blog/robots.ts is ignored')
  })

  test('names an unknown option of waymark() and its file', async () => {
    const config =
      "import { waymark } from 'waymark/vite'\nexport default { plugins: [waymark({ basPath: '/docs' })] }\n"
    const root = appWith({ 'vite.config.mjs': config })
    for (const command of ['build', 'dev']) {
      const { exitCode, output } = await runWaymark([command], root)
      expect(output).toMatch(/^vite\.config\.mjs: waymark\(\) has no option basPath\..* basePath,/m)
      expect(exitCode).toBe(1)
    }
  })

  test('requires waymark() in a Vite configuration', async () => {
    const root = appWith({ 'vite.config.ts': 'export default { plugins: [] }\n' })
    const { exitCode, output } = await runWaymark(['build'], root)
    expect(exitCode).toBe(1)
    expect(output).toMatch(/vite\.config\.ts has no waymark\(\) in its plugins/)
  })
})

describe('a build', () => {
  let root = ''
  let output = ''
  beforeAll(async () => {
    root = copyApp({ app: 'cli' })
    const built = await runWaymark(['build'], root)
    output = built.output
    expect(built.exitCode, output).toBe(0)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('prints each step, and for each route how it is rendered, why, and its sizes', () => {
    expect(output).toMatch(/^ {2}Prerendering \d+\.\d s$/m)
    expect(output).toMatch(/ Page JS +Shared JS +Idle JS +HTML\n/)
    expect(output).toMatch(/○ \/ +static +\d+ B +\d+\.\d kB +\d+\.\d kB +(?:\d+ B|\d\.\d kB)\n/)
    expect(output).toMatch(/ƒ \/account +dynamic: uses cookies\(\) +0 B +\d+\.\d kB +\d+\.\d kB\n/)
    expect(output).toMatch(
      /○ \/blog\/\[slug\] +static, 2 pages +0 B +\d+\.\d kB +\d+\.\d kB +\d+ B\n/,
    )
    expect(output).toMatch(/○ \/feed\.xml +route handler, static\n/)
    expect(output).not.toContain('last build')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
    expect(output).not.toMatch(/\x1b/)
  })

  test('names the line of a .env file that refers to a missing variable, once', () => {
    expect(output.split(missingReference)).toHaveLength(2)
    expect(output).not.toContain('^$php')
  })

  test('has the same id if nothing has changed', async () => {
    const idOf = () => JSON.parse(readFileSync(join(root, '.waymark/build.json'), 'utf8')).buildId
    const before = idOf()
    expect(before).toMatch(/^[0-9a-f]{16}$/)
    const again = await runWaymark(['build'], root)
    expect(again.exitCode, again.output).toBe(0)
    expect(again.output).toContain('No sizes have changed since the last build.')
    expect(idOf()).toBe(before)
  })

  test('is self-contained: the server imports nothing but Node', () => {
    const facts = JSON.parse(readFileSync(join(root, '.waymark/build.json'), 'utf8'))
    expect(facts.externals).toEqual([])
  })

  test('keeps secrets out of the client files', () => {
    const client = join(root, '.waymark/client')
    const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
    const texts = files.filter((file) => file.endsWith('.js'))
    expect(texts.length).toBeGreaterThan(0)
    for (const file of texts) {
      expect(readFileSync(join(client, file), 'utf8')).not.toContain('kept on the server')
    }
  })

  test('prints the changes since the previous build', async () => {
    const copy = copyApp({ app: 'cli' })
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
    cpSync(join(root, '.waymark'), join(copy, '.waymark'), { recursive: true })
    const noise = Array.from({ length: 600 }, (_, index) => Math.sin(index)).join('')
    const component = "'use client'\n\nexport function Public() {\n  return <p>NOISE</p>\n}\n"
    writeFileSync(join(copy, 'app/public.tsx'), component.replace('NOISE', noise))
    rmSync(join(copy, 'app/old'), { recursive: true })
    const changed = await runWaymark(['build'], copy)
    expect(changed.exitCode, changed.output).toBe(0)
    expect(changed.output).toMatch(/○ \/ +static +\d+\.\d kB \(\+\d+\.\d kB\) /)
    expect(changed.output).toContain('Removed since the last build: /old')
  })

  test('names its port if it is in use, and its command when it starts', async () => {
    const port = await takePort()
    const { exitCode, output } = await runWaymark(['start', '--port', `${port}`], root)
    expect(exitCode).toBe(1)
    expect(output).toContain(`Port ${port} is used by another program.`)
  })

  test.each([
    ['WAYMARK_SECRET', 'is shorter than 32 characters'],
    ['WAYMARK_SECRET_PREVIOUS', 'is shorter than 32 characters'],
  ])('is not started with an invalid %s', async (name, reason) => {
    const { exitCode, output } = await runWaymark(['start', '--port', '0'], root, {
      [name]: 'short',
    })
    expect(exitCode).toBe(1)
    expect(output).toContain(reason)
    expect(output).not.toContain('    at ')
  })
})

describeModes('an app with env files', { app: 'cli' }, (served) => {
  test('names the line that refers to a missing variable, once', () => {
    expect(served.app.logs().split(missingReference)).toHaveLength(2)
  })

  test('reads all of them on the server, and public names in the browser', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    expect(await page.locator('#server').textContent()).toBe('KEPT ON THE SERVER')
    await expect
      .poll(async () => (await page.locator('#client').textContent())?.trim())
      .toBe('hello for all undefined')
    expectQuietConsole()
  })

  test('serves the URLs of a closed route, and no others', async () => {
    expect((await served.fetch('/blog/first')).status).toBe(200)
    const other = await served.fetch('/blog/zweiter%20gr%C3%B6%C3%9Fer')
    expect([other.status, await other.text()]).toEqual([
      200,
      expect.stringMatching(/Post (?:<!-- -->)?zweiter größer/),
    ])
    expect((await served.fetch('/blog/third')).status).toBe(404)
  })

  test('serves its static route handler and its redirect', async () => {
    const feed = await served.fetch('/feed.xml')
    expect([feed.status, feed.headers.get('content-type'), await feed.text()]).toEqual([
      200,
      'application/xml',
      '<feed/>',
    ])
    const old = await served.fetch('/old')
    expect([old.status, old.headers.get('location')]).toEqual([308, '/blog/first'])
  })
})

describeModes(
  'the JavaScript that the build measures',
  { app: 'cli', modes: ['production'] },
  (served) => {
    test.each([
      ['/account', { isInteractive: false }],
      ['/', { isInteractive: true }],
    ])('is what a browser loads for %s', async (path, page) => {
      await expectMeasuredSizes(served.app, path, page)
    })
  },
)

describeModes(
  'the JavaScript of @waymark/live',
  { app: 'live', modes: ['production'] },
  (served) => {
    test('is measured as part of the page', async () => {
      await expectMeasuredSizes(served.app, '/board', { isInteractive: true })
    })
  },
)

describeModes(
  'the JavaScript of @waymark/offline',
  { app: 'offline', modes: ['production'] },
  (served) => {
    test('is measured as part of the page', async () => {
      await expectMeasuredSizes(served.app, '/write', { isInteractive: true })
    })
  },
)
