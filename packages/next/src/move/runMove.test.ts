import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runMove } from './runMove.ts'

const app = {
  'package.json': JSON.stringify({
    name: 'shop',
    scripts: {
      dev: 'next dev --turbo -p 4000',
      check: 'next build && next start',
      lint: 'next lint',
    },
    dependencies: { next: '^15.1.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
    devDependencies: { '@types/node': '22.10.7' },
  }),
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "plugins": [{ "name": "next" }] } }\n',
  'next-env.d.ts': '/// <reference types="next" />\nimport "./.next/types/routes.d.ts";\n',
  'src/middleware.ts':
    "import { NextResponse } from 'next/server'\nexport function middleware() {\n  return NextResponse.next()\n}\n",
  'src/app/page.tsx': [
    "import Link from 'next/link'",
    "import { cookies } from 'next/headers'",
    "import { notFound, ServerInsertedHTMLContext as Html } from 'next/navigation'",
    'import type { Metadata } from "next";',
    "export const runtime = 'edge'",
    'export default async function Page() {',
    "  await fetch('https://shop.test', { next: { tags: ['a'] } })",
    '  if (!(await cookies()).has("a")) notFound()',
    '  return <Link href="/it\'s">{Html.displayName}</Link>',
    '}',
  ].join('\n'),
  'src/app/parts.tsx':
    "'use client'\nimport Link from 'next/link'\nexport const Part = () => <Link href={{ pathname: '/a' }}>A</Link>\nexport const Style = () => <style jsx>{`a {}`}</style>\n",
  'src/pages/old.tsx': "import Document from 'next/document.js'\nexport default Document\n",
}

/** @param folder of the app, below the root of the repository */
function makeApp(files: Readonly<Record<string, string>> = app, folder = '') {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-move-test-'))
  const cwd = path.join(root, folder)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  git('init', '--quiet')
  git('add', '.')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b.test')
  git('commit', '--quiet', '-m', 'app')
  let printed = ''
  const move = async (...args: string[]) => {
    printed = ''
    const print = (text: string) => {
      printed += `${text}\n`
    }
    const code = await runMove(['move', '--no-build', '--waymark', '1.0.0', ...args], {
      cwd,
      print,
    })
    return { code, printed }
  }
  return { cwd, git, move, read: (file: string) => readFileSync(path.join(cwd, file), 'utf8') }
}

test('adds the packages that compile .mdx files as before', async () => {
  const config = 'export default { experimental: { mdxRs: { mdxType: "gfm" } } }\n'
  const { move, read } = makeApp({
    ...app,
    'src/app/a/page.mdx': '# A\n',
    'next.config.mjs': config,
  })
  expect((await move()).code).toBe(0)
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  expect({ ...dependencies, ...devDependencies }).toMatchObject({
    '@mdx-js/rollup': expect.any(String),
    'remark-gfm': expect.any(String),
  })
})

test('moves the configuration files, and leaves imports unchanged', async () => {
  const { cwd, move, read } = makeApp()
  expect((await move()).code).toBe(0)
  const manifest = JSON.parse(read('package.json'))
  expect(manifest.scripts).toEqual({
    dev: 'waymark dev --port 4000',
    check: 'waymark build && waymark start',
    lint: 'next lint',
  })
  expect(manifest.dependencies).toMatchObject({
    next: expect.stringMatching(/^npm:@waymark\/next@\^16\./),
    waymark: '1.0.0',
    react: expect.stringMatching(/^\^19\.3/),
  })
  expect(manifest.devDependencies).toEqual({ '@types/node': '^22.12.0' })
  expect(manifest.overrides).toEqual({ react: '$react', 'react-dom': '$react-dom', next: '$next' })
  expect(read('tsconfig.json')).toBe('{ "compilerOptions": { "strict": true } }\n')
  expect(read('next-env.d.ts')).toBe('/// <reference types="next" />\n')
  expect(read('vite.config.mts')).toContain("from 'next/vite'")
  expect(existsSync(path.join(cwd, 'src/middleware.ts'))).toBe(false)
  expect(read('src/proxy.ts')).toContain('export function proxy()')
  expect(read('src/app/page.tsx')).toBe(app['src/app/page.tsx'])
})

test('reports code that behaves differently and code that must change, with its line', async () => {
  const { printed } = await makeApp().move()
  expect(printed).toContain('src/app/page.tsx:5  runtime has no effect')
  expect(printed).toContain('src/app/parts.tsx:4  <style jsx> is not compiled')
  expect(printed).toContain("src/pages/old.tsx:1  next/document doesn't exist in Waymark.")
  expect(printed).toContain('src/pages/old.tsx:1  pages/ is not served')
  expect(printed).toContain(
    "the script lint runs a command of next that Waymark doesn't have: next lint",
  )
})

test('replaces imports that Waymark has with the same meaning', async () => {
  const { move, read } = makeApp()
  expect((await move('--mode', 'native')).code).toBe(0)
  expect(read('src/app/page.tsx').split('\n').slice(0, 6)).toEqual([
    "import { Link } from 'waymark'",
    "import { cookies } from 'waymark/server'",
    "import { notFound } from 'waymark'",
    "import { ServerInsertedHTMLContext as Html } from 'next/navigation'",
    'import type { Metadata } from "waymark";',
    "export const runtime = 'edge'",
  ])
  // The file stays unchanged, because a link with a URL object only works with next/link.
  expect(read('src/app/parts.tsx')).toBe(app['src/app/parts.tsx'])
})

test('waits for values that are promises now', async () => {
  const { move, read } = makeApp({
    ...app,
    'src/app/[id]/page.tsx':
      "import { cookies } from 'next/headers'\nexport default async function Page({ params }) {\n  const { id } = params\n  return cookies().get(id)?.value\n}\n",
    'src/app/[id]/layout.tsx':
      'export default function Layout({ params, children }) {\n  return params.id && children\n}\n',
    'src/app/[id]/template.tsx':
      "'use client'\nexport default function Template({ params, children }) {\n  return params.id && children\n}\n",
  })
  const { printed } = await move()
  expect(read('src/app/[id]/page.tsx').split('\n').slice(2, 4)).toEqual([
    '  const { id } = (await params)',
    '  return (await cookies()).get(id)?.value',
  ])
  expect(printed).not.toContain('[id]/page.tsx:')
  expect(read('src/app/[id]/layout.tsx')).toBe(
    "import { use } from 'react'; export default function Layout({ params, children }) { params = use(params);\n  return params.id && children\n}\n",
  )
  expect(read('src/app/[id]/template.tsx')).toBe(
    "'use client'\nimport { use } from 'react'; export default function Template({ params, children }) { params = use(params);\n  return params.id && children\n}\n",
  )
})

test('a dry run shows the differences and changes nothing', async () => {
  const { git, move } = makeApp()
  const { code, printed } = await move('--dry-run')
  expect(code).toBe(0)
  expect(printed).toContain('+++ after/src/proxy.ts')
  expect(printed).toContain('-import "./.next/types/routes.d.ts";')
  expect(git('status', '--porcelain')).toBe('')
})

test('is one commit that can be reverted', async () => {
  const { cwd, git, move, read } = makeApp()
  const { printed } = await move()
  expect(printed).toContain('"git revert HEAD" to undo it')
  expect(git('status', '--porcelain')).toBe('')
  git('revert', '--no-edit', 'HEAD')
  expect(read('package.json')).toBe(app['package.json'])
  expect(existsSync(path.join(cwd, 'vite.config.mts'))).toBe(false)
  expect((await move('--no-commit')).code).toBe(0)
  expect(git('status', '--porcelain')).toContain('vite.config.mts')
})

test.each([
  ['^18', '^19.3.1'],
  ['latest', '^19.3.1'],
  ['19.3.0', '^19.3.1'],
  ['19.0.0-rc-69d4b800-20241021', '^19.3.1'],
  ['19.4.0', '19.4.0'],
  ['^20', '^20'],
  ['19.3.0-canary-dc9aed36-20261027', '19.3.0-canary-dc9aed36-20261027'],
])('React %s becomes %s', async (react, expected) => {
  const { move, read } = makeApp({
    ...app,
    'package.json': JSON.stringify({ dependencies: { next: '15.0.0', react, 'react-dom': react } }),
  })
  await move()
  expect(JSON.parse(read('package.json')).dependencies.react).toBe(expected)
})

// The tests don't depend on the installed pnpm.
const pnpm10 = { packageManager: 'pnpm@10.34.9' }

test.each([
  ['pnpm-lock.yaml', 'pnpm', { overrides: { next: '$next' } }],
  ['yarn.lock', 'resolutions', { next: expect.stringMatching(/^npm:@waymark\/next@/) }],
  ['bun.lock', 'overrides', { next: '$next' }],
])('with %s, peer dependencies are set with the key %s', async (lockFile, key, value) => {
  const manifest = { ...JSON.parse(app['package.json']), ...(key === 'pnpm' && pnpm10) }
  const { move, read } = makeApp({
    ...app,
    'package.json': JSON.stringify(manifest),
    [lockFile]: '',
  })
  await move()
  expect(JSON.parse(read('package.json'))).toMatchObject({ [key]: value })
})

test.each([
  ['run-s db:migrate build:next', 'run-s db:migrate build:next'],
  ['turbo run test --filter=next', 'turbo run test --filter=next'],
  ['pnpm --filter next build', 'pnpm --filter next build'],
  ['rm -rf .next && next build', 'rm -rf .waymark && waymark build'],
  [
    'concurrently "next dev -p 3001" "node worker"',
    'concurrently "waymark dev --port 3001" "node worker"',
  ],
  ['dotenv -e .env -- next dev --turbopack', 'dotenv -e .env -- waymark dev'],
  ['node_modules/.bin/next start', 'node_modules/.bin/waymark start'],
  ['tsc && next', 'tsc && waymark dev'],
  ['PORT=80 node .next/standalone/apps/web/server.js', 'PORT=80 node .waymark/server.js'],
  ['pm2 start ecosystem.next.config.js', 'pm2 start ecosystem.next.config.js'],
])('the script %s becomes %s', async (script, expected) => {
  const { move, read } = makeApp({
    ...app,
    'package.json': JSON.stringify({ scripts: { 'build:next': script } }),
  })
  await move()
  expect(JSON.parse(read('package.json')).scripts).toEqual({ 'build:next': expected })
})

test('raises overrides of packages that the move raises', async () => {
  const old = { react: '19.0.5', 'react-dom': '19.0.5', '@types/react': '18.3.1', other: '1.0.0' }
  const { move, read } = makeApp({
    ...app,
    'package.json': JSON.stringify({
      dependencies: { next: '16.2.6', react: '19.0.5', 'react-dom': '19.0.5' },
      devDependencies: { '@types/react': '18.3.1', vite: '^5.0.0' },
      overrides: { ...old, kit: { react: '$react' } },
      resolutions: { '**/react': '19.0.5' },
      pnpm: { overrides: old, patchedDependencies: {} },
    }),
  })
  await move()
  const manifest = JSON.parse(read('package.json'))
  const raised = { react: '^19.3.1', 'react-dom': '^19.3.1', '@types/react': '^19', other: '1.0.0' }
  expect(manifest.overrides).toEqual({ ...raised, kit: { react: '$react' }, next: '$next' })
  expect(manifest.resolutions).toEqual({ '**/react': '^19.3.1' })
  expect(manifest.pnpm).toEqual({ overrides: raised, patchedDependencies: {} })
  expect(manifest.devDependencies).toEqual({ '@types/react': '^19' })
})

test('rewrites the outputs of Turborepo and the commands of Nx', async () => {
  const { move, read } = makeApp({
    ...app,
    'turbo.json': '{ "tasks": { "build": { "outputs": [".next/**", "!.next/cache/**"] } } }',
    'project.json': '{ "targets": { "serve": { "command": "next dev -p 4200" } } }',
  })
  await move()
  expect(read('turbo.json')).toContain('[".waymark/**", "!.waymark/cache/**"]')
  expect(read('project.json')).toContain('"command": "waymark dev --port 4200"')
})

/** A workspace with the app in `apps/web`. */
const workspace = (manifest: object, files: Readonly<Record<string, string>>) => ({
  'package.json': JSON.stringify({ private: true, ...manifest }),
  'apps/docs/package.json': '{ "dependencies": { "next": "16.0.0" } }',
  'apps/docs/app/page.tsx': '',
  'packages/links/package.json': '{ "devDependencies": { "next": "16.0.0" } }',
  'examples/old/package.json': '{ "dependencies": { "next": "14.0.0" } }',
  'packages/ui/package.json': '{ "peerDependencies": { "next": "*" } }',
  ...Object.fromEntries(Object.entries(app).map(([file, text]) => [`apps/web/${file}`, text])),
  ...files,
})

const movedNext = expect.stringMatching(/^npm:@waymark\/next@/)

test.each([
  ['npm', { 'package-lock.json': '{}' }, { overrides: { next: movedNext } }],
  ['yarn', { 'yarn.lock': '' }, { resolutions: { next: movedNext } }],
  ['bun', { 'bun.lock': '' }, { overrides: { next: movedNext } }],
  [
    'pnpm',
    {
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': "packages:\n  # apps\n  - 'apps/*'\n  - packages/*\n",
    },
    { pnpm: { overrides: { next: movedNext } } },
  ],
])('in a workspace of %s, overrides are in the root', async (manager, files, expected) => {
  const workspaces = manager === 'pnpm' ? pnpm10 : { workspaces: ['apps/*', 'packages/*'] }
  const { git, move, read } = makeApp(
    workspace({ ...workspaces, devDependencies: { react: '18.2.0' } }, files),
    'apps/web',
  )
  const { code, printed } = await move()
  expect(code, printed).toBe(0)
  expect(JSON.parse(read('../../package.json'))).toMatchObject({
    ...expected,
    devDependencies: { react: '^19.3.1' },
  })
  const member = JSON.parse(read('package.json'))
  expect(member.dependencies.next).toEqual(movedNext)
  expect(Object.keys(member)).not.toContain(Object.keys(expected)[0])
  expect(printed).toContain('../../apps/docs/package.json:1  it also depends on "next"')
  expect(printed).not.toContain('examples/old')
  const differing = printed.slice(printed.indexOf('Behaves differently'))
  expect(differing.slice(0, differing.indexOf('Must be changed'))).toContain(
    '../../packages/links/package.json:1  it also depends on "next"',
  )
  expect(git('status', '--porcelain')).toBe('')
})

test('raises overrides in pnpm-workspace.yaml, and takes an old React out of catalogs', async () => {
  const overrides = (next: string, react: string, vite: string) =>
    `packages:\n  - apps/*\noverrides:\n${next}  react: ${react}\n  vite: ${vite}\n`
  const catalogs = `catalog:
  react: ^19.3.1
catalogs:
  # for the mobile app, too
  native:
    "react": 19.1.2
    react-dom: 19.1.2
`
  const appFiles = workspace(
    {},
    {
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': overrides('  next: 15.0.0\n', '18.2.0', '7.1.12') + catalogs,
      'apps/web/package.json': JSON.stringify({
        dependencies: { next: '16.0.0', react: 'catalog:native', 'react-dom': 'catalog:native' },
      }),
    },
  )
  const { move, read } = makeApp(appFiles, 'apps/web')
  const { printed } = await move('--next', '^1.0.0')
  expect(read('../../pnpm-workspace.yaml')).toBe(
    overrides('', '^19.3.1', '^8.3.8').replace('overrides:\n', "$&  next: '^1.0.0'\n") + catalogs,
  )
  expect(read('../../package.json')).not.toContain('overrides')
  expect(JSON.parse(read('package.json')).dependencies).toMatchObject({
    react: '^19.3.1',
    'react-dom': '^19.3.1',
  })
  expect(printed).toContain('package.json:1  react is ^19.3.1 in this app now')
})

const pnpm11 = [
  { packageManager: 'pnpm@11.1.2' },
  { devEngines: { packageManager: { name: 'pnpm', version: '^11.0.0' } } },
]

test.each(pnpm11)('creates pnpm-workspace.yaml in an app of pnpm 11: %o', async (named) => {
  const manifest = { ...JSON.parse(app['package.json']), ...named }
  const { git, move, read } = makeApp({ ...app, 'package.json': JSON.stringify(manifest) })
  expect((await move('--next', '^1.0.0')).code).toBe(0)
  expect(read('pnpm-workspace.yaml')).toBe("overrides:\n  next: '^1.0.0'\n")
  expect(read('package.json')).not.toContain('overrides')
  expect(git('status', '--porcelain')).toBe('')
})

test('raises overrides of an app in its pnpm-workspace.yaml', async () => {
  const { move, read } = makeApp({
    ...app,
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': 'overrides:\n  react: 18.2.0\n',
  })
  await move('--next', '^1.0.0')
  expect(read('pnpm-workspace.yaml')).toBe("overrides:\n  next: '^1.0.0'\n  react: ^19.3.1\n")
  expect(read('package.json')).not.toContain('overrides')
})

test('forces React only in the app of an npm workspace', async () => {
  const react = (version: string) => ({ react: version, 'react-dom': version })
  const files = {
    'package-lock.json': '{}',
    'apps/web/package.json': JSON.stringify({ name: 'web', dependencies: react('^18.2.0') }),
  }
  const manifest = { workspaces: ['apps/*'], overrides: { web: { kit: '1.0.0' } } }
  const { move, read } = makeApp(workspace(manifest, files), 'apps/web')
  await move('--next', '^1.0.0')
  expect(JSON.parse(read('../../package.json')).overrides).toEqual({
    web: { ...react('^19.3.1'), kit: '1.0.0' },
    next: '^1.0.0',
  })
  const newest = {
    ...files,
    'apps/web/package.json': JSON.stringify({ name: 'web', dependencies: react('^19.3.1') }),
  }
  const unchanged = makeApp(workspace(manifest, newest), 'apps/web')
  await unchanged.move('--next', '^1.0.0')
  expect(JSON.parse(unchanged.read('../../package.json')).overrides).toEqual({
    web: { kit: '1.0.0' },
    next: '^1.0.0',
  })
})

test('adds a Waymark from a file to the root, where pnpm finds the peers of next', async () => {
  const files = { 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n' }
  const { move, read } = makeApp(workspace({}, files), 'apps/web')
  await move('--waymark', 'file:/packed/waymark.tgz')
  expect(JSON.parse(read('../../package.json')).devDependencies).toEqual({
    waymark: 'file:/packed/waymark.tgz',
  })
})

test('adds overrides to pnpm-workspace.yaml for pnpm 11, which reads them nowhere else', async () => {
  const files = {
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': 'packages:\n  - apps/*\nautoInstallPeers: true\n',
  }
  const { move, read } = makeApp(workspace({ packageManager: 'pnpm@11.1.2' }, files), 'apps/web')
  await move('--next', '^1.0.0')
  expect(read('../../pnpm-workspace.yaml')).toBe(
    `${files['pnpm-workspace.yaml']}overrides:\n  next: '^1.0.0'\n`,
  )
  expect(read('../../package.json')).not.toContain('overrides')
})

test.each([
  [
    'pnpm',
    {
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\ncatalog:\n  react: ^19.3.1\n',
    },
    {},
  ],
  [
    'yarn',
    { 'yarn.lock': '', '.yarnrc.yml': "catalog:\n  react: '^19.3.1'\n" },
    { workspaces: ['apps/*'] },
  ],
  [
    'bun',
    { 'bun.lock': '' },
    { workspaces: { packages: ['apps/*'], catalog: { react: '^19.3.1' } } },
  ],
])('leaves a new React in a catalog of %s', async (_, files, manifest) => {
  const react = { react: 'catalog:', 'react-dom': 'catalog:' }
  const own = {
    'apps/web/package.json': JSON.stringify({ dependencies: { next: '16.0.0', ...react } }),
  }
  const { move, read } = makeApp(workspace(manifest, { ...files, ...own }), 'apps/web')
  await move()
  expect(JSON.parse(read('package.json')).dependencies).toMatchObject(react)
})

test("sorts dependencies as before, and takes over other members' versions of packages", async () => {
  const dependencies = (names: readonly string[]) => ({
    'apps/web/package.json': JSON.stringify({
      dependencies: Object.fromEntries(names.map((name) => [name, '16.0.0'])),
    }),
    'apps/web/app/about/page.mdx': '# About',
    'apps/docs/package.json': '{ "devDependencies": { "@mdx-js/rollup": "~3.1.0" } }',
  })
  const namesAfter = async (names: readonly string[]) => {
    const files = workspace({ workspaces: ['apps/*'] }, dependencies(names))
    const { move, read } = makeApp(files, 'apps/web')
    await move()
    const { dependencies: moved } = JSON.parse(read('package.json'))
    expect(moved['@mdx-js/rollup']).toBe('~3.1.0')
    return Object.keys(moved).filter((name) => !name.startsWith('@fontsource'))
  }
  const added = ['@mdx-js/rollup', 'next', 'react', 'react-dom', 'vite', 'waymark', 'zod']
  expect(await namesAfter(['next', 'zod'])).toEqual(added)
  expect((await namesAfter(['zod', 'next'])).slice(0, 2)).toEqual(['zod', 'next'])
})

test('adds the outputs of Turborepo in the root of a workspace, and shows a dry run', async () => {
  const { git, move, read } = makeApp(
    workspace(
      { workspaces: { packages: ['apps/*'] } },
      { 'turbo.json': '{ "outputs": [".next/**", "!.next/cache/**"] }' },
    ),
    'apps/web',
  )
  const { printed } = await move('--dry-run')
  expect(printed).toContain('+++ after/apps/web/src/proxy.ts')
  expect(printed).toContain('+++ after/turbo.json')
  expect(git('status', '--porcelain')).toBe('')
  await move()
  expect(read('../../turbo.json')).toBe(
    '{ "outputs": [".next/**", ".waymark/**", "!.next/cache/**", "!.waymark/cache/**"] }',
  )
})

test('an app with its own lock file, or outside the patterns, is no member of a workspace', async () => {
  const { move, read } = makeApp(
    workspace(
      { workspaces: ['apps/*'] },
      {
        'apps/web/pnpm-lock.yaml': '',
        'apps/web/package.json': JSON.stringify({ ...JSON.parse(app['package.json']), ...pnpm10 }),
      },
    ),
    'apps/web',
  )
  await move()
  expect(JSON.parse(read('package.json')).pnpm).toEqual({ overrides: { next: '$next' } })
  const excluded = makeApp(workspace({ workspaces: ['apps/*', '!apps/web'] }, {}), 'apps/web')
  await excluded.move()
  expect(JSON.parse(excluded.read('package.json')).overrides).toMatchObject({ next: '$next' })
})

test('does not read files that Yarn stores in the repository', async () => {
  const { move } = makeApp({ ...app, '.yarn/releases/yarn-3.6.1.cjs': 'no code {' })
  expect((await move()).printed).not.toContain('.yarn')
})

test('reports unsupported settings and packages, with their lines', async () => {
  const { move, read } = makeApp({
    ...app,
    'package.json':
      '{\n  "dependencies": {\n    "next": "15.0.0",\n    "next-sitemap": "4.0.0",\n    "@clerk/nextjs": "^5.7.1"\n  },\n  "scripts": { "postbuild": "next-sitemap --config a.js" }\n}',
    'next.config.js':
      "module.exports = {\n  images: {\n    formats: [],\n  },\n  webpack(config) {\n    config.module.rules.push({ test: /a.yaml$/, use: 'yaml-loader' })\n    return config\n  },\n}",
    'src/app/client/page.jsx': "'use client'\nexport const dynamic = 'force-static'\n",
  })
  const { printed } = await move()
  expect(JSON.parse(read('package.json')).scripts).toEqual({})
  expect(printed).toMatch(/package\.json:4 {2}next-sitemap: it reads files from Next's build/)
  expect(printed).toMatch(/package\.json:5 {2}@clerk\/nextjs: version \^5\.7\.1 reads headers\(\)/)
  expect(printed).toMatch(/next\.config\.js:3 {2}images\.formats: the build resizes/)
  expect(printed).toMatch(
    /next\.config\.js:5 {2}webpack: files that match .* yaml-loader, .* install @modyfi\/vite-plugin-yaml/,
  )
  expect(printed).toMatch(
    /client\/page\.jsx:2 {2}dynamic has no effect in a file with 'use client'/,
  )
})

test('adds programs to the scripts that a plugin used to run inside the build', async () => {
  const { move, read } = makeApp({
    ...app,
    'package.json': JSON.stringify({
      scripts: {
        dev: 'next dev',
        build: 'cross-env A=1 next build && node after.mjs',
        all: 'contentlayer2 build && next build',
        start: 'next start',
      },
      dependencies: { next: '15.0.0', 'next-contentlayer2': '0.5.5' },
    }),
  })
  const { printed } = await move()
  expect(JSON.parse(read('package.json')).scripts).toEqual({
    dev: 'contentlayer2 build && waymark dev',
    build: 'contentlayer2 build && cross-env A=1 waymark build && node after.mjs',
    all: 'contentlayer2 build && waymark build',
    start: 'waymark start',
  })
  expect(printed).toContain('also run "contentlayer2 dev"')
})

test("npm may install packages whose peer dependency is an older Vite, such as a test runner's", async () => {
  const peer = (vite: string, isOptional = false) => ({
    peerDependencies: { vite },
    ...(isOptional && { peerDependenciesMeta: { vite: { optional: true } } }),
  })
  const lock = {
    lockfileVersion: 3,
    packages: {
      'node_modules/@vitejs/plugin-react': peer('^4.2.0 || ^5.0.0 || ^6.0.0 || ^7.0.0'),
      'node_modules/@vitest/mocker': peer('^6.0.0 || ^7.0.0-0', true),
      'node_modules/vite-plugin-a': peer('>=4'),
      'node_modules/vite-plugin-b': peer('*'),
      'node_modules/vite-plugin-c': peer('^7.0.0 || ^8.0.0'),
      'node_modules/a/node_modules/vite-plugin-d': peer('^5.0.0'),
    },
  }
  const { move, read } = makeApp({ ...app, 'package-lock.json': JSON.stringify(lock) })
  await move()
  expect(JSON.parse(read('package.json')).overrides).toEqual({
    '@vitejs/plugin-react': { vite: '$vite' },
    next: '$next',
    react: '$react',
    'react-dom': '$react-dom',
  })
})

test('if npm refuses the locked versions, installs without those that the move updates', async () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      'node_modules/next': { version: '16.2.6' },
      'node_modules/vite': { version: '8.0.10' },
      'node_modules/vite/node_modules/esbuild': { version: '0.25.0' },
      'node_modules/vitest': { version: '4.1.5' },
    },
  }
  const { cwd, read } = makeApp({ ...app, 'package-lock.json': JSON.stringify(lock) })
  // A fake npm that refuses to install while Vite is locked.
  const programs = mkdtempSync(path.join(tmpdir(), 'waymark-move-npm-'))
  const npm =
    '#!/bin/sh\necho "$@" >> npm.log\n! grep -q \'"node_modules/vite"\' package-lock.json\n'
  writeFileSync(path.join(programs, 'npm'), npm, { mode: 0o755 })
  const { PATH } = process.env
  process.env.PATH = `${programs}${path.delimiter}${PATH}`
  onTestFinished(() => {
    process.env.PATH = PATH
    rmSync(programs, { recursive: true, force: true })
  })
  expect(await runMove(['move', '--waymark', '1.0.0'], { cwd, print: () => {} })).toBe(0)
  expect(read('npm.log')).toBe('install\ninstall\nrun build\n')
  expect(Object.keys(JSON.parse(read('package-lock.json')).packages)).toEqual([
    'node_modules/vitest',
  ])
})

test('only starts with a clean working tree', async () => {
  const { cwd, move } = makeApp()
  writeFileSync(path.join(cwd, 'note.txt'), 'mine')
  const { code, printed } = await move()
  expect([code, printed]).toEqual([1, expect.stringContaining('uncommitted changes')])
  expect(existsSync(path.join(cwd, 'vite.config.mts'))).toBe(false)
})

test.each([
  [{ 'package.json': '{}', 'pages/index.tsx': '' }, 'Waymark only supports the App Router'],
  [{ 'package.json': '{}', 'app/part.tsx': '' }, 'There is no page in app/'],
  [{ 'app/page.tsx': '' }, 'There is no package.json'],
])('refuses %j', async (files, message) => {
  const { code, printed } = await makeApp(files).move()
  expect([code, printed]).toEqual([1, expect.stringContaining(message)])
})

test('prints the usage for wrong arguments', async () => {
  const { code, printed } = await makeApp().move('--mode', 'half')
  expect([code, printed]).toEqual([2, expect.stringContaining('Usage: npx @waymark/next move')])
})
