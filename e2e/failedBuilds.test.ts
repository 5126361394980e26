import { rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

describe('a build fails', () => {
  const failing = (files: Readonly<Record<string, string>>) => {
    const root = copyApp({ app: 'cli', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    return runWaymark(['build'], root)
  }

  test("and names a static page that can't be rendered, with the place", async () => {
    const { exitCode, output } = await failing({
      'app/broken/page.tsx': "export default function Page() {\n  throw new Error('no data')\n}\n",
    })
    expect(exitCode).toBe(1)
    expect(output).toMatch(/\/broken \(broken\/page\.tsx\) could not be prerendered: no data/)
    expect(output).toMatch(/at Page \(.*app\/broken\/page\.tsx:2:\d+\)/)
  })

  test('and names the chain of imports by which a server-only module would reach browsers', async () => {
    const { exitCode, output } = await failing({
      'app/secret.ts': "import 'server-only'\nexport const secret = 'x'\n",
      'app/public.tsx':
        "'use client'\nimport { secret } from './secret.ts'\nexport const Public = () => <p>{secret}</p>\n",
    })
    expect(exitCode).toBe(1)
    expect(output).toContain("'server-only' cannot be imported in client build")
    expect(output).toMatch(/imported by app\/secret\.ts\n +imported by app\/public\.tsx/)
  })

  test('and names the files that need a feature which the host lacks', async () => {
    const files = {
      'vite.config.ts': `import { live } from '@waymark/live/vite'
import { node, waymark } from 'waymark/vite'

const allowMissing = process.env.ALLOWED ? ['sockets'] : []
const adapter = { ...node(), lacks: ['sockets', 'sharedState'] }
export default { plugins: [waymark({ adapter, allowMissing }), live()] }
`,
      'app/chat/route.ts': `import { upgrade } from '@waymark/live/socket'

export function GET() {
  return upgrade({ open: (socket) => socket.send('hello') })
}
`,
      'app/timed/page.tsx':
        'export const revalidate = 60\nexport default function Page() {\n  return <p>timed</p>\n}\n',
    }
    const { exitCode, output } = await failing(files)
    expect(exitCode).toBe(1)
    expect(output).toContain(
      "These parts of the app don't work on Node: WebSockets (app/chat/route.ts).",
    )
    const root = copyApp({ app: 'cli', files })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const allowed = await runWaymark(['build'], root, { ALLOWED: '1' })
    expect(allowed.exitCode).toBe(0)
    expect(allowed.output).toContain('Node may run several instances of this app')
  })

  test('and names the client file that imports a module of Node', async () => {
    const { exitCode, output } = await failing({
      'app/size.ts':
        "import { readFileSync } from 'node:fs'\nexport const size = () => readFileSync('package.json').length\n",
      'app/public.tsx':
        "'use client'\nimport { size } from './size.ts'\nexport const Public = () => <p>{size()}</p>\n",
      'app/public/page.tsx': "export { Public as default } from '../public.tsx'\n",
    })
    expect(exitCode).toBe(1)
    expect(output).toContain('app/size.ts is part of the client code, but imports node:fs')
  })

  test.each([
    ['a page', 'app/page.tsx', "import Link from 'no-such-package/link'\nexport default Link\n"],
    [
      'a client file',
      'app/public.tsx',
      "'use client'\nimport Link from 'no-such-package/link'\nexport default Link\n",
    ],
  ])(
    'and names the package that is not installed and the file that imports it, in %s',
    async (_, file, text) => {
      const page = "export { default } from './public.tsx'\n"
      const { exitCode, output } = await failing({ 'app/page.tsx': page, [file]: text })
      expect(exitCode).toBe(1)
      expect(output).toContain(
        `${file} imports no-such-package/link, which is not installed. Run npm install no-such-package`,
      )
      expect(output).toMatch(new RegExp(`${file}:\\d:18`))
      expect(output).not.toContain('externalize')
    },
  )

  test('and names the file that does not exist', async () => {
    const { exitCode, output } = await failing({ 'app/page.tsx': "export * from './lost.tsx'\n" })
    expect(exitCode).toBe(1)
    expect(output).toContain(
      'app/page.tsx imports ./lost.tsx, which does not exist. Correct the path.',
    )
    expect(output).toMatch(/app\/page\.tsx:1:15/)
  })

  test('and names static pages that redirect in a circle', async () => {
    const to = (path: string) =>
      `import { redirect } from 'waymark'\nexport default () => redirect('${path}')\n`
    const { exitCode, output } = await failing({
      'app/one/page.tsx': to('/two'),
      'app/two/page.tsx': to('/one'),
    })
    expect(exitCode).toBe(1)
    expect(output).toContain('it redirects in a loop, /one → /two → /one')
  })

  test('and names files with the same URL', async () => {
    const { exitCode, output } = await failing({
      'app/(other)/page.tsx': 'export default () => null\n',
    })
    expect(exitCode).toBe(1)
    expect(output).toMatch(/Two files match \/: .*app\/page\.tsx/)
  })

  test('and shows a code frame for a syntax error', async () => {
    const { exitCode, output } = await failing({ 'app/page.tsx': 'export default () => <h1\n' })
    expect(exitCode).toBe(1)
    expect(output).toContain('app/page.tsx:')
    expect(output).not.toMatch(/node_modules\/rolldown|undefined:/)
  })
})
