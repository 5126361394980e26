import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const preload = fileURLToPath(new URL('./harness/evaluationCounts.cjs', import.meta.url))

const icons = Array.from({ length: 200 }, (_, index) => `Icon${index}`)
const inIcons = 'node_modules/many-icons'

/** A package like an icon set, with a file for each icon. All icons share a client component. */
const iconPackage = {
  [`${inIcons}/package.json`]: JSON.stringify({
    name: 'many-icons',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    peerDependencies: { react: '*' },
    sideEffects: false,
  }),
  [`${inIcons}/index.js`]: [
    "export { SizeProvider } from './base.js'",
    ...icons.map((name) => `export { ${name} } from './icons/${name}.js'`),
  ].join('\n'),
  [`${inIcons}/base.js`]: `'use client'
import { createContext, createElement, useContext } from 'react'
const Size = createContext('default')
export const SizeProvider = ({ size, children }) => createElement(Size, { value: size }, children)
export const Base = ({ name }) => createElement('i', null, name + ' ' + useContext(Size))
`,
  ...Object.fromEntries(
    icons.map((name) => [
      `${inIcons}/icons/${name}.js`,
      `import { createElement } from 'react'
import { Base } from '../base.js'
const { evaluated } = globalThis.evaluationCounts ?? { evaluated: {} }
evaluated.${name} = (evaluated.${name} ?? 0) + 1
export const ${name} = () => createElement(Base, { name: '${name}' })
`,
    ]),
  ),
}

/** A package like lodash, whose exports are known only after its code has run. */
const commonPackage = {
  'node_modules/common-tools/package.json': '{ "name": "common-tools", "version": "1.0.0" }',
  'node_modules/common-tools/index.js': `;(function () {
  var tools = {}
  for (var name of ['first', 'last']) tools[name] = name === 'first' ? (list) => list[0] : (list) => list.at(-1)
  module.exports = tools
}.call(this))
`,
}

/**
 * A package that depends on another package. Vite bundles the two together, because they share a
 * part.
 */
const dependentPackage = {
  'node_modules/late-tools/package.json':
    '{ "name": "late-tools", "version": "1.0.0", "type": "module" }',
  'node_modules/late-tools/index.js': `import tools from 'common-tools'
export const lastTwo = (list) => [tools.last(list.slice(0, -1)), tools.last(list)].join('')
`,
}

/** A package of hooks, which must share the app's bundle of React. */
const hookPackage = {
  'node_modules/hook-tools/package.json':
    '{ "name": "hook-tools", "version": "1.0.0", "type": "module", "peerDependencies": { "react": "*" } }',
  'node_modules/hook-tools/index.js': `import { useState } from 'react'
export const useWord = () => useState('hooked')[0]
`,
}

/** A package whose modules call `require`, as the package of an authentication service does. */
const requiringPackage = {
  'node_modules/auth-tools/package.json': JSON.stringify({
    name: 'auth-tools',
    version: '1.0.0',
    type: 'module',
    peerDependencies: { react: '*' },
    dependencies: { 'common-tools': '1.0.0' },
  }),
  'node_modules/auth-tools/index.js': `import { fileURLToPath } from 'node:url'
import { existsSync } from './node.js'
export { requireOwn } from './own.js'
export const isThere = () => existsSync(fileURLToPath(import.meta.url))
`,
  'node_modules/auth-tools/node.js': `const { existsSync } = require('node:fs')
export { existsSync }
`,
  'node_modules/auth-tools/own.js': `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
export const requireOwn = () => require('node:path').sep
`,
}

const manifestOf = (name: string, fields: object) =>
  JSON.stringify({ name, version: '1.0.0', peerDependencies: { react: '*' }, ...fields })

/**
 * Packages that call `preload()` in server components, in each module format that the dev server
 * can run.
 */
const hintPackages = {
  'node_modules/hint-module/package.json': manifestOf('hint-module', { type: 'module' }),
  'node_modules/hint-module/index.js': `import { preload } from 'react-dom'
export const hint = () => preload('/secret-module.js', { as: 'script' })
`,
  'node_modules/hint-common/package.json': manifestOf('hint-common', {}),
  'node_modules/hint-common/index.js': `const { preload } = require('react-dom')
exports.hint = () => preload('/secret-common.js', { as: 'script' })
`,
  'node_modules/hint-default/package.json': manifestOf('hint-default', { type: 'module' }),
  'node_modules/hint-default/index.js': `import ReactDOM from 'react-dom'
import * as all from 'react-dom'
if (ReactDOM.preload !== all.preload) throw new Error('There are two of react-dom.')
export const hint = () => ReactDOM.preload('/secret-default.js', { as: 'script' })
`,
  'app/hinted/layout.tsx': `import type { ReactNode } from 'react'
import { forbidden } from 'waymark'
import { cookies } from 'waymark/server'
export default async function Guard({ children }: { children: ReactNode }) {
  const isMember = (await cookies()).has('member')
  await new Promise((resolve) => setTimeout(resolve, 300))
  if (!isMember) forbidden()
  return children
}
`,
  'app/hinted/page.tsx': `import { hint as hintCommon } from 'hint-common'
import { hint as hintDefault } from 'hint-default'
import { hint as hintModule } from 'hint-module'
export const statusDeadlineMs = 50
export default function Page() {
  hintCommon()
  hintDefault()
  hintModule()
  return <h1>hinted</h1>
}
`,
}

const brokenOnServer = {
  'theme.js': `import { createContext } from 'react'
export const Theme = createContext('light')
`,
  'boundary.js': `import { Component } from 'react'
export class Boundary extends Component {}
`,
}

/**
 * Packages without side effects, some of whose modules throw in server components. Vite bundles the
 * one without dependencies.
 */
const barrelPackages = {
  'node_modules/barrel-plain/package.json': manifestOf('barrel-plain', {
    type: 'module',
    sideEffects: false,
  }),
  'node_modules/barrel-plain/theme.js': brokenOnServer['theme.js'],
  'node_modules/barrel-plain/boundary.js': brokenOnServer['boundary.js'],
  'node_modules/barrel-plain/index.js': `export * from './boundary.js'
export { Theme } from './theme.js'
export const plain = 'plain'
`,
  'node_modules/barrel-theme/package.json': manifestOf('barrel-theme', {
    type: 'module',
    sideEffects: false,
  }),
  'node_modules/barrel-theme/index.js': brokenOnServer['theme.js'],
  'node_modules/barrel-kit/package.json': manifestOf('barrel-kit', {
    type: 'module',
    sideEffects: ['styles/*.js', 'polyfill.js'],
    dependencies: { 'barrel-theme': '1.0.0' },
  }),
  'node_modules/barrel-kit/boundary.js': brokenOnServer['boundary.js'],
  'node_modules/barrel-kit/index.js': `import * as Theme from 'barrel-theme'
import * as Boundary from './boundary.js'
export { Boundary, Theme }
export { scoped } from './scoped.js'
export const kit = 'kit'
`,
  'node_modules/barrel-kit/scoped.js': `import { Theme } from 'barrel-theme'
export const scoped = Theme.Provider
`,
  'app/barrels/page.tsx': `import { kit } from 'barrel-kit'
import { plain } from 'barrel-plain'
export default () => <h1>{kit + ' ' + plain}</h1>
`,
}

const files = {
  'package.json': JSON.stringify({
    private: true,
    type: 'module',
    dependencies: {
      'many-icons': '1.0.0',
      'common-tools': '1.0.0',
      'late-tools': '1.0.0',
      'hook-tools': '1.0.0',
      'auth-tools': '1.0.0',
      'hint-common': '1.0.0',
      'hint-default': '1.0.0',
      'hint-module': '1.0.0',
      'barrel-kit': '1.0.0',
      'barrel-plain': '1.0.0',
    },
  }),
  ...hintPackages,
  ...barrelPackages,
  ...iconPackage,
  ...requiringPackage,
  'app/auth/page.tsx': `import { isThere, requireOwn } from 'auth-tools'
export const dynamic = 'force-dynamic'
export default () => <h1>{String(isThere())} {requireOwn()}</h1>
`,
  ...commonPackage,
  ...dependentPackage,
  'app/common/page.tsx': `import { Show } from './show.tsx'
export default () => <h1><Show /></h1>
`,
  'app/common/show.tsx': `'use client'
import { last } from 'common-tools'
import { useState } from 'react'
export function Show() {
  const [n, setN] = useState(0)
  return <button type="button" onClick={() => setN(n + 1)}>{last(['a', 'b'])} {n}</button>
}
`,
  // Start the file with long comments, because 'use client' must be found after them, too.
  'app/common-server/page.tsx': `${'/** One of many. */ // More.\n'.repeat(200)}import tools, { first, last } from 'common-tools'
export default () => <h1>{first(['a', 'b'])} {last(['a', 'b'])} {String(tools.first === first)}</h1>
`,
  'app/icons/page.tsx': `import { Icon7 } from 'many-icons'
import { Sized } from './sized.tsx'
export default () => <main><h1>Icons 0</h1><Sized><Icon7 /></Sized></main>
`,
  'app/icons/sized.tsx': `'use client'
import { SizeProvider } from 'many-icons'
import { type ReactNode, useState } from 'react'
export function Sized({ children }: { children: ReactNode }) {
  const [size, setSize] = useState('small')
  return <SizeProvider size={size}><button type="button" onClick={() => setSize('large')}>Larger</button>{children}</SizeProvider>
}
`,
  'app/counts/route.ts':
    'export const GET = () => Response.json((globalThis as any).evaluationCounts)\n',
}

const app = { app: 'dev', files, env: { NODE_OPTIONS: `--require ${preload}` } }

describeModes('packages', app, (served) => {
  test('of CommonJS can be imported by name in a client component', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    await page.goto('/common')
    const button = await hydratedElement(page.getByRole('button'))
    await button.click()
    await expect.poll(() => button.textContent()).toBe('b 1')
    // Expect a single document: the package is bundled before the first page, and a later bundle
    // would reload the page.
    expect(documents).toBe(1)
    expectQuietConsole()
  })

  test('of CommonJS can be imported by name in a server component', async () => {
    const html = await (await served.fetch('/common-server')).text()
    expect(html.replaceAll('<!-- -->', '')).toContain('<h1>a b true</h1>')
  })

  test('of which a server component uses only a part may have modules for browsers', async () => {
    expect(await (await served.fetch('/barrels')).text()).toContain('<h1>kit plain</h1>')
  })

  test('may call require in their modules', async () => {
    const html = await (await served.fetch('/auth')).text()
    expect(html.replaceAll('<!-- -->', '')).toMatch(/<h1>(?:true|false) \/<\/h1>/)
  })

  test('send no resource hint below a layout that refuses', async () => {
    const hintsFor = async (headers: Record<string, string>) => {
      const body = await (await served.fetch('/_waymark/data/hinted.rsc', { headers })).text()
      return [...new Set(body.match(/secret-\w+/g))].toSorted()
    }
    expect(await hintsFor({ cookie: 'member=1' })).toEqual([
      'secret-common',
      'secret-default',
      'secret-module',
    ])
    expect(await hintsFor({})).toEqual([])
  })

  test('are one copy for server components and client components', async () => {
    expect(await (await served.fetch('/icons')).text()).toContain('<i>Icon7 small</i>')
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/icons')
    await (await hydratedElement(page.getByRole('button'))).click()
    await expect.poll(() => page.locator('i').textContent()).toBe('Icon7 large')
    expectQuietConsole()
    expect(served.app.logs()).not.toContain('inconsistently optimized')
  })
})

describeModes('a package that an edit adds', { ...app, modes: ['dev'] }, (served) => {
  test('does not load the page twice', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    // Load all bundles that exist so far, and leave the page, so that no page is open during the
    // edit.
    await page.goto('/common')
    await hydratedElement(page.getByRole('button'))
    await page.goto('about:blank')
    served.app.edit('app/common/show.tsx', (text) =>
      text
        .replace("import { last } from 'common-tools'", "import { lastTwo } from 'late-tools'")
        .replace('last([', 'lastTwo(['),
    )
    // Give the watcher a moment. A page that is requested too early shows the old code, and
    // reloads.
    await page.waitForTimeout(200)
    let documents = 0
    let isReloaded = false
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('full-reload')) isReloaded = true
      }),
    )
    await page.goto('/common')
    const button = await hydratedElement(page.getByRole('button'))
    await button.click()
    await expect.poll(() => button.textContent()).toBe('ab 1')
    expect({ documents, isReloaded }).toEqual({ documents: 1, isReloaded: false })
    expectQuietConsole()
  })
})

describeModes(
  'a package of many files, in a server component',
  { ...app, modes: ['dev'] },
  (served) => {
    test('is bundled once, and an edit does not evaluate it again', async () => {
      const pageOf = async () => (await served.fetch('/icons')).text()
      const countsOf = async () => (await served.fetch('/counts')).json()
      expect(await pageOf()).toContain('Icons 0')
      const bundle = join(served.app.root, 'node_modules/.vite/deps_rsc/many-icons.js')
      expect(existsSync(bundle)).toBe(true)
      const before = await countsOf()
      served.app.edit('app/icons/page.tsx', (text) => text.replace('Icons 0', 'Icons 1'))
      await expect.poll(pageOf).toContain('Icons 1')
      expect(await countsOf()).toEqual(before)
    })
  },
)

/**
 * An app whose page makes Vite reload all modules on the server, as Vite does once it has bundled a
 * package that a request imports first. The refusal loads after the reload.
 */
const reloading = {
  'vite.config.ts': `import { defineConfig, type Plugin } from 'vite'
import { waymark } from 'waymark/vite'
const reloads: Plugin = {
  name: 'reloads',
  configureServer({ environments }) {
    Object.assign(globalThis, {
      reloadServerModules() {
        for (const { moduleGraph, hot } of [environments.rsc, environments.ssr]) {
          moduleGraph.invalidateAll()
          hot.send({ type: 'full-reload', path: '*' })
        }
      },
    })
  },
}
export default defineConfig({ plugins: [waymark(), reloads] })
`,
  'app/members/page.tsx': `import { unauthorized } from 'waymark'
import { headers } from 'waymark/server'
export default async function Page() {
  await headers()
  ;(globalThis as any).reloadServerModules()
  unauthorized()
}
`,
  'app/unauthorized.tsx': `import { rootParams } from 'waymark/server'
import { Pathname } from './pathname.tsx'
export default async () => <h1>{JSON.stringify(await rootParams())} <Pathname /></h1>
`,
  'app/pathname.tsx': `'use client'
import { usePathname } from 'waymark/client'
export const Pathname = () => <i>{usePathname()}</i>
`,
}

describeModes(
  'a reload of all modules during a request',
  { app: 'dev', files: reloading, modes: ['dev'] },
  (served) => {
    test('leaves the files that load afterwards in the scope of the request', async () => {
      const response = await served.fetch('/members')
      expect(response.status).toBe(401)
      const html = (await response.text()).replaceAll('<!-- -->', '')
      expect(html).toContain('<h1>{} <i>/members</i></h1>')
    })
  },
)

const counted = {
  ...hookPackage,
  'app/counted/page.tsx':
    "import { Counter } from './counter.tsx'\nexport default () => <Counter />\n",
  'app/counted/counter.tsx': `'use client'
import { useState } from 'react'
export function Counter() {
  const [n, setN] = useState(0)
  return <button type="button" onClick={() => setN(n + 1)}>Clicked {n}</button>
}
`,
}

describeModes(
  'the first package of hooks',
  { app: 'dev', files: counted, modes: ['dev'] },
  (served) => {
    test('reaches an open page with the React that its hooks use', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/counted')
      const button = await hydratedElement(page.getByRole('button'))
      await button.click()
      let documents = 0
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents++
      })
      served.app.edit('app/counted/counter.tsx', (text) =>
        text
          .replace('import { useState', "import { useWord } from 'hook-tools'\nimport { useState")
          .replace('>Clicked ', '>{useWord()} '),
      )
      await button.filter({ hasText: 'hooked' }).waitFor()
      await (await hydratedElement(button)).click()
      await expect.poll(() => button.textContent()).toMatch(/^hooked [1-9]$/)
      expect(documents).toBeLessThan(2)
      expectQuietConsole()
      expect(served.app.logs()).not.toMatch(/Invalid hook call|more than one copy/)
    })
  },
)
