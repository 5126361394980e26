import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { functionPackages, hookPackages } from './harness/packageSamples.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// Use small packages that change shared bundles: the bundler's helpers, parts of React, and shared
// code of packages.
const names = ['dayjs', 'immer', 'zod', 'react-hook-form', 'swr']
const samples = [...functionPackages, ...hookPackages].filter(({ name }) => names.includes(name))

// Put the components into a folder that Waymark doesn't search for client components, so that a
// page finds the packages late, as after an edit.
const files = Object.fromEntries(
  samples.flatMap(({ name, top, body = '', jsx }) => [
    [
      `.found/${name}.tsx`,
      `'use client'\n${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`,
    ],
    [
      `app/${name}/page.tsx`,
      `import { Show } from '../../.found/${name}.tsx'\nexport default () => <section><Show /></section>\n`,
    ],
  ]),
)

const app = { app: 'basic', files, modes: ['dev'] } as const

describeModes('packages that are found one after the other', app, (served) => {
  test('are shown with one copy of React and a quiet console', async () => {
    for (const { name, shows } of samples) {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto(`/${name}`)
      const section = page.locator('section').first()
      await expect.poll(() => section.innerHTML().catch(() => '')).toMatch(shows)
      await hydratedElement(section)
      expectQuietConsole()
    }
  })
})

/** Files of a page with a field, in a layout that links to pages that are added later. */
const written = {
  'app/written/layout.tsx': `import { Link } from 'waymark'
import { Note } from './note.tsx'
const names = ['dialog', 'form', 'late']
export default ({ children }) => <>{names.map((name) => <Link key={name} href={'/written/' + name}>{name}</Link>)}<Note />{children}</>
`,
  'app/written/note.tsx': `'use client'
import { useState } from 'react'
export function Note() {
  const [text, setText] = useState('')
  return <p><input name="note" value={text} onChange={(event) => setText(event.target.value)} /><b>{text.length}</b></p>
}
`,
  'app/written/page.tsx': 'export default () => <h1>Written</h1>\n',
}

/**
 * Pages that are added later. The package of each page shares a part with the previous package. The
 * last package is loaded on a click.
 */
const later = {
  'dialog/dialog.tsx': `'use client'
import * as Dialog from '@radix-ui/react-dialog'
export const Show = () => <Dialog.Root><Dialog.Trigger>Open</Dialog.Trigger><Dialog.Portal><Dialog.Content aria-describedby={undefined}><Dialog.Title>Opened</Dialog.Title></Dialog.Content></Dialog.Portal></Dialog.Root>
`,
  'dialog/page.tsx': "import { Show } from './dialog.tsx'\nexport default () => <Show />\n",
  'form/form.tsx': `'use client'
import { useForm } from 'react-hook-form'
export function Show() {
  const { register, watch } = useForm({ defaultValues: { name: 'typed' } })
  return <p><input {...register('name')} /> {watch('name')}</p>
}
`,
  'form/page.tsx': "import { Show } from './form.tsx'\nexport default () => <Show />\n",
  'late/show.tsx': `'use client'
import { lazy, Suspense, useState } from 'react'
const Tip = lazy(() => import('./tip.tsx'))
export function Show() {
  const [isShown, show] = useState(false)
  return <p><button type="button" onClick={() => show(true)}>Show</button><Suspense>{isShown && <Tip />}</Suspense></p>
}
`,
  'late/tip.tsx': `import * as Tooltip from '@radix-ui/react-tooltip'
export default () => <Tooltip.Provider><Tooltip.Root><Tooltip.Trigger>Tip</Tooltip.Trigger></Tooltip.Root></Tooltip.Provider>
`,
  'late/page.tsx': "import { Show } from './show.tsx'\nexport default () => <Show />\n",
}

describeModes(
  'packages of new files',
  { app: 'basic', files: written, modes: ['dev'] },
  (served) => {
    test('neither reload a page in which somebody types, nor give it another React', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      let documents = 0
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents++
      })
      await page.goto('/written')
      const note = await hydratedElement(page.locator('[name=note]'))
      await note.pressSequentially('a note that ')
      for (const [file, text] of Object.entries(later)) {
        const path = join(served.app.root, 'app/written', file)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
      await note.pressSequentially('goes on', { delay: 100 })
      await page.getByRole('link', { name: 'dialog' }).click()
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByRole('heading', { name: 'Opened' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'form' }).click()
      await page.locator('[name=name]').fill('typed text')
      await page.getByText('typed text').waitFor()
      await page.getByRole('link', { name: 'late' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByRole('button', { name: 'Tip' }).waitFor()
      expect(await note.inputValue()).toBe('a note that goes on')
      expect(documents).toBe(1)
      expectQuietConsole()
    })
  },
)

const words = 'node_modules/word-tools'

/** A package with two client components in separate files, which share a context. */
const contextPackage = {
  'package.json':
    '{ "private": true, "type": "module", "dependencies": { "word-tools": "1.0.0" } }',
  [`${words}/package.json`]: JSON.stringify({
    name: 'word-tools',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    peerDependencies: { react: '*' },
    // Add a dependency, because then the package is not bundled for server components.
    dependencies: { react: '*' },
  }),
  [`${words}/index.js`]: "export { Give } from './give.js'\nexport { Take } from './take.js'\n",
  [`${words}/word.js`]: `import { createContext } from 'react'
export const Word = createContext('nothing')
`,
  [`${words}/give.js`]: `'use client'
import { createElement } from 'react'
import { Word } from './word.js'
export const Give = ({ children }) => createElement(Word, { value: 'given' }, children)
`,
  [`${words}/take.js`]: `'use client'
import { createElement, useContext } from 'react'
import { Word } from './word.js'
export const Take = () => createElement('b', null, useContext(Word))
`,
}

/**
 * Configuration that delays the bundles for rendering HTML, so that they are ready long after the
 * browser's bundles.
 */
const slowHtml = `import { waymark } from 'waymark/vite'
const slow = { name: 'slow', buildStart: () => new Promise((end) => setTimeout(end, 1500)) }
const optimizeDeps = { rolldownOptions: { plugins: [slow] } }
export default { plugins: [waymark()], environments: { ssr: { optimizeDeps } } }
`

const withContext = {
  ...contextPackage,
  'vite.config.ts': slowHtml,
  'app/around.tsx': `'use client'
import { Give } from 'word-tools'
export const Around = ({ children }) => <Give>{children}</Give>
`,
  'app/around/page.tsx': `import { Around } from '../around.tsx'
export default () => <Around>Around</Around>
`,
  'app/words/page.tsx': `import { Take } from 'word-tools'
import { Around } from '../around.tsx'
export default () => <Around><Take /></Around>
`,
}

describeModes(
  'a client component that a server component imports from a package',
  { app: 'basic', files: withContext, modes: ['dev'] },
  (served) => {
    test('is rendered with the bundles that its page has already loaded', async () => {
      const htmlOf = async (path: string) => (await served.fetch(path)).text()
      expect(await htmlOf('/around')).toContain('Around')
      expect(await htmlOf('/words')).toContain('<b>given</b>')
    })
  },
)
