import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// Virtual modules of Waymark, of the package for App Router apps, and of plugin-rsc.
const serverModules = [
  ...['app-files', 'build', 'client-assets', 'config', 'packages', 'routes'].map(
    (name) => `waymark/${name}`,
  ),
  'next-names/proxy',
  ...['encryption-key', 'server-references'].map((name) => `vite-rsc/${name}`),
]

const spellings = (name: string) => [
  `/@id/virtual:${name}`,
  `/@id/__x00__virtual:${name}`,
  `/@id/__x00__virtual:${name}?import`,
  `/@id/__x00__virtual:${name}?raw`,
  `/@id/__x00__virtual:${name}?url`,
  `/@id/__x00__virtual:${name}?inline&import`,
  `/@id/__x00__virtual%3A${name.replace('/', '%2F')}`,
  `/@id/%00virtual:${name}`,
  `/virtual:${name}`,
  `/@fs/virtual:${name}`,
]

describeModes('the modules of a dev server', { app: 'basic', modes: ['dev'] }, (served) => {
  test.each(serverModules)('virtual:%s is not served', async (name) => {
    // After this request, the server's environments have loaded their modules.
    await served.fetch('/')
    for (const target of spellings(name)) {
      const response = await served.fetch(target)
      const text = await response.text()
      const isModule = /javascript/.test(response.headers.get('content-type') ?? '')
      if (!response.ok || !isModule) continue
      const [code = ''] = text.split('//# sourceMappingURL', 1)
      // The response may contain only the address of a module, or a placeholder.
      expect(code.trim(), target).toMatch(
        /^(?:export default "\/?@?\w[^"]*virtual:[^"]*"|throw new Error\("virtual:.* is only available on the server\."\)|export \{\};?)$/,
      )
    }
  })

  test('modules for browsers are served', async () => {
    for (const name of ['limits', 'startup', 'navigation', 'prefetch']) {
      const response = await served.fetch(`/@id/__x00__virtual:waymark/${name}`)
      expect(await response.text()).toContain('export const')
    }
  })
})

const page = `import { Workers } from './workers.tsx'
export default function Page() {
  return <Workers />
}`

const workers = `'use client'
import { useState } from 'react'

const create = {
  classic: () => new Worker(new URL('./classic.ts', import.meta.url)),
  module: () => new Worker(new URL('./module.ts', import.meta.url), { type: 'module' }),
  shared: () => new Worker(new URL('./shared.ts', import.meta.url), { type: 'module' }),
}

export function Workers() {
  const [text, setText] = useState('')
  const run = (kind: keyof typeof create) => {
    const worker = create[kind]()
    worker.onmessage = ({ data }) => setText(data)
    worker.onerror = ({ message }) => setText(\`failed: \${message}\`)
  }
  return (
    <main>
      <button type="button" onClick={() => run('classic')}>classic</button>
      <button type="button" onClick={() => run('module')}>module</button>
      <button type="button" onClick={() => run('shared')}>shared</button>
      <p id="text">{text}</p>
    </main>
  )
}`

// Keep the worker's code in `load.ts`, as a module that pages could also import.
const workerFiles = {
  'vite.config.ts': `import path from 'node:path'
import { waymark } from 'waymark/vite'

const clientSetup = path.join(import.meta.dirname, 'setup.ts')
export default { plugins: [waymark({ clientSetup })] }`,
  'setup.ts': `globalThis.hasSetup = true\nexport const onNavigationStart = null`,
  'app/workers/page.tsx': page,
  'app/workers/workers.tsx': workers,
  'app/workers/late.ts': `export const text = () => 'late, setup: ' + (globalThis.hasSetup ?? false)`,
  'app/workers/load.ts': `export const load = () => import('./late.ts')`,
  'app/workers/classic.ts': `import('./late.ts').then(({ text }) => self.postMessage('classic ' + text()))`,
  'app/workers/module.ts': `import('./late.ts').then(({ text }) => self.postMessage('module ' + text()))`,
  'app/workers/shared.ts': `import { load } from './load.ts'
load().then(({ text }) => self.postMessage('shared ' + text()))`,
}

describeModes(
  'the workers of a dev server',
  { app: 'basic', modes: ['dev'], files: workerFiles },
  (served) => {
    test.each(['classic', 'module', 'shared'])(
      '%s: imports a module, without the setup of the page',
      async (kind) => {
        const { page } = await openPage(served.app)
        await page.goto('/workers')
        const button = page.getByRole('button', { name: kind })
        await hydratedElement(button)
        await button.click()
        await expect
          .poll(() => page.locator('#text').textContent())
          .toBe(`${kind} late, setup: false`)
        expect(await page.evaluate(() => 'hasSetup' in globalThis)).toBe(true)
      },
    )
  },
)
