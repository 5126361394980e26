// Usage: node research/suites/nuqs.mjs [--repository <url or path>] [--into <folder>]
// The end-to-end suite of nuqs for the App Router: URL state by history and by the router.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { must } from '../../scripts/workspace/run.mjs'
import { changeManifest, edit, layOut, moveApp, report, runPlaywright } from './suite.mjs'

const suite = await layOut({
  name: 'nuqs',
  repository: 'https://github.com/47ng/nuqs',
  folders: { 'packages/e2e/next': 'next', 'packages/e2e/shared': 'shared' },
})
const app = path.join(suite.folder, 'next')
const workspace = { private: true, type: 'module', workspaces: ['next', 'shared'] }
await writeFile(path.join(suite.folder, 'package.json'), JSON.stringify(workspace))
// Versions from a catalog, and packages of a workspace. npm supports neither.
/** @type {Record<string, string>} */
const versions = {
  next: '16.2.7',
  nuqs: '^2.10.2',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  '@playwright/test': '^1.58.1',
  '@types/react': '^19.2.10',
  '@types/react-dom': '^19.2.3',
  typescript: '^5.9.2',
  'e2e-shared': '0.0.0',
}
for (const folder of [app, path.join(suite.folder, 'shared')]) {
  await changeManifest(folder, ({ peerDependencies: _, ...manifest }) => {
    for (const names of [manifest.dependencies ?? {}, manifest.devDependencies]) {
      for (const name of Object.keys(names)) names[name] = versions[name] ?? names[name]
    }
    return manifest
  })
}
await moveApp(suite, app)
// This page imports an internal file of Next for the name of an option.
const prefetchPage = path.join(app, 'src/app/app/repro-388/page.tsx')
const internals = 'next/dist/client/components/router-reducer/router-reducer-types'
await edit(prefetchPage, `import { PrefetchKind } from '${internals}'`, '')
await edit(prefetchPage, 'PrefetchKind.FULL', "'full' as never")
// Its tests look for ids, which pages that are hidden for going back also have.
const viteConfig = path.join(app, 'vite.config.mts')
await edit(viteConfig, 'next()', 'next({ navigation: { keepPages: 0 } })')
await must('npx', ['waymark', 'build'], app)
// Half of the tests are for the Pages Router.
report('nuqs', await runPlaywright(app, { args: ['--grep-invert', 'pages'] }))
