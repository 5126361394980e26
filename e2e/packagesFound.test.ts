import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { functionPackages, hookPackages } from './harness/packageSamples.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// Small ones, each of which changes the bundles that a browser may have: helpers of the bundler,
// parts of React, what packages share.
const names = ['dayjs', 'immer', 'zod', 'react-hook-form', 'swr']
const samples = [...functionPackages, ...hookPackages].filter(({ name }) => names.includes(name))

// In a folder that is not searched for client components: found by the page, as after an edit.
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
  test('are shown with one copy of React, and the console stays quiet', async () => {
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
