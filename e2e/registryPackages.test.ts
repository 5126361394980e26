import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { fewPackages, type PackageSample } from './harness/packageSamples.ts'
import { hydrated, openPage } from './harness/page.ts'

const slugOf = (name: string) => name.replace(/\W+/g, '-').replace(/^-/, '')

function filesOf(samples: readonly PackageSample[]): Record<string, string> {
  const pages = samples.flatMap(({ name, top, body = '', jsx }) => [
    [
      `app/${slugOf(name)}/page.tsx`,
      `import { Show } from './show.tsx'\nexport default () => <section><Show /></section>\n`,
    ],
    [
      `app/${slugOf(name)}/show.tsx`,
      `'use client'\n${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`,
    ],
  ])
  return Object.fromEntries(pages)
}

async function expectShown(app: { readonly origin: string }, sample: PackageSample): Promise<void> {
  const { page, expectQuietConsole } = await openPage(app)
  await page.goto(`/${slugOf(sample.name)}`)
  await expect
    .poll(() => page.locator('section').first().innerHTML(), { timeout: 15_000 })
    .toMatch(sample.shows)
  await hydrated(page.locator('section').first())
  expectQuietConsole()
}

describeModes('a package', { app: 'basic', files: filesOf(fewPackages) }, (served) => {
  test.each(fewPackages)('$name', (sample) => expectShown(served.app, sample))
})
