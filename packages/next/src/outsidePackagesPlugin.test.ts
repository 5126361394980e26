import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, createLogger } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { outsidePackagesPlugin } from './outsidePackagesPlugin.ts'

const packages = {
  'next-auth-kit': [
    "import { cookies } from 'next/headers'\n",
    { peerDependencies: { next: '*' } },
  ],
  '@acme/session': ["require('next/server.js')\n", { dependencies: { next: '*' } }],
  'only-links': ["import Link from 'next/link'\n", { peerDependencies: { next: '*' } }],
  plain: ["export const text = 'next/headers'\n", {}],
} as const

/** Builds server code that imports all packages, and returns the warnings. */
async function warningsOf(lists: Parameters<typeof outsidePackagesPlugin>[1]) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-outside-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const names = Object.keys(packages)
  for (const [name, [code, manifest]] of Object.entries(packages)) {
    const folder = path.join(root, 'node_modules', name)
    mkdirSync(path.join(folder, 'dist'), { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, ...manifest }))
    writeFileSync(path.join(folder, 'dist/index.js'), code)
  }
  const imports = names.map((name) => `import ${JSON.stringify(name)}\n`)
  writeFileSync(path.join(root, 'page.js'), `${imports.join('')}import('next-auth-kit/late')\n`)
  const lines: string[] = []
  const customLogger = { ...createLogger('silent'), warn: (line: string) => void lines.push(line) }
  await build({
    root,
    configFile: false,
    customLogger,
    plugins: [outsidePackagesPlugin(root, lists)],
    environments: { ssr: {} },
    build: { ssr: path.join(root, 'page.js'), write: false, rollupOptions: { external: /^[^/.]/ } },
  })
  return lines.toSorted()
}

test('packages outside of the bundle that read the request through next are named', async () => {
  const [session, kit, ...others] = await warningsOf({
    serverExternalPackages: ['next-auth-kit'],
    webpackExternals: ['@acme/session'],
  })
  expect(kit).toMatch(
    /^next-auth-kit isn't bundled, but imports next\/headers \(in dist\/index\.js\)\..* Remove it from serverExternalPackages in next\.config\.$/,
  )
  expect(session).toMatch(
    /^@acme\/session isn't bundled, but imports next\/server\.js .* Remove it from externals in the webpack function of next\.config\.$/,
  )
  expect(others).toEqual([])
})

test('a package that no list in next.config contains gets general advice', async () => {
  const lines = await warningsOf({ serverExternalPackages: [], webpackExternals: [] })
  expect(lines[1]).toMatch(/Remove it from ssr\.external in vite\.config\. If it contains native/)
})
