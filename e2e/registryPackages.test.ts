import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { fewPackages } from './harness/packageSamples.ts'
import { hydrated, openPage } from './harness/page.ts'

const shows = fewPackages.map(({ top, body = '', jsx }, index) => [
  `app/packages/show${index}.tsx`,
  `'use client'\n${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`,
])

const page = [
  ...fewPackages.map((_, index) => `import { Show as Show${index} } from './show${index}.tsx'`),
  'export default () => (',
  '  <article>',
  ...fewPackages.map((_, index) => `    <section><Show${index} /></section>`),
  '  </article>',
  ')',
  '',
].join('\n')

const files = { ...Object.fromEntries(shows), 'app/packages/page.tsx': page }

describeModes('packages of the registry', { app: 'basic', files }, (served) => {
  test('are shown, each by a client component', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/packages')
    for (const [index, sample] of fewPackages.entries()) {
      const section = page.locator('section').nth(index)
      await expect
        .poll(() => section.innerHTML(), { message: sample.name, timeout: 15_000 })
        .toMatch(sample.shows)
      await hydrated(section)
    }
    expectQuietConsole()
  })
})
