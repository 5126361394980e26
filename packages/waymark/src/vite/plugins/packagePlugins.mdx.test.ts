import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { mdxPlugin } from './packagePlugins.ts'

test("paths of tsconfig.json apply to MDX files, although it doesn't include them", async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-mdx-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(path.join(root, 'src'))
  const tsconfig = { compilerOptions: { paths: { '@/*': ['./src/*'] } }, include: ['**/*.tsx'] }
  writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify(tsconfig))
  writeFileSync(path.join(root, 'src/Card.tsx'), 'export const Card = null')
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { tsconfigPaths: true },
    plugins: [mdxPlugin(() => ({ root }) as ResolvedOptions)],
  })
  onTestFinished(() => server.close())
  const { pluginContainer } = server.environments.ssr
  const resolved = await pluginContainer.resolveId('@/Card', path.join(root, 'src/page.mdx'))
  expect(resolved?.id).toBe(path.join(root, 'src/Card.tsx'))
})
