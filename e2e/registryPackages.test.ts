import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import {
  componentPackages,
  functionPackages,
  hookPackages,
  type PackageSample,
} from './harness/packageSamples.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import manifest from './package.json' with { type: 'json' }

const groups = {
  functions: functionPackages,
  hooks: hookPackages,
  components: componentPackages,
}

const component = ({ top, body = '', jsx }: PackageSample) =>
  `${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`

/**
 * Writes a page with a section for each package of a group. Each section shows the package's sample
 * component.
 */
function pageOf(folder: string, samples: readonly PackageSample[], directive: string) {
  const page = [
    ...samples.map((_, index) => `import { Show as Show${index} } from './show${index}.tsx'`),
    'export default () => (',
    '  <article>',
    ...samples.map((_, index) => `    <section><Show${index} /></section>`),
    '  </article>',
    ')',
    '',
  ]
  return [
    [`${folder}/page.tsx`, page.join('\n')],
    ...samples.map((sample, index) => [
      `${folder}/show${index}.tsx`,
      `${directive}\n${component(sample)}`,
    ]),
  ]
}

// List the packages in the app's manifest, because the framework reads there which of them need
// React.
const appManifest = { private: true, type: 'module', dependencies: manifest.devDependencies }

const files = Object.fromEntries([
  ['package.json', JSON.stringify(appManifest)],
  ...pageOf('app/server', functionPackages, ''),
  ...Object.entries(groups).flatMap(([name, samples]) =>
    pageOf(`app/${name}`, samples, "'use client'"),
  ),
])

describeModes('packages of the registry', { app: 'packages', files }, (served) => {
  test('are at least forty', () => {
    const names = Object.values(groups).flatMap((samples) => samples.map(({ name }) => name))
    expect(new Set(names).size).toBeGreaterThanOrEqual(40)
  })

  test('are shown by server components', async () => {
    const response = await served.fetch('/server')
    const html = await response.text()
    expect(response.status, html.slice(0, 200)).toBe(200)
    const sections = [...html.matchAll(/<section>(.*?)<\/section>/gs)].map(([, inner]) => inner)
    for (const [index, { name, shows }] of functionPackages.entries()) {
      expect(sections[index], name).toMatch(shows)
    }
  })

  test.each(Object.entries(groups))('are shown by client components: %s', async (name, samples) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(`/${name}`)
    for (const [index, sample] of samples.entries()) {
      const section = page.locator('article > section').nth(index)
      await expect.poll(() => section.innerHTML(), { message: sample.name }).toMatch(sample.shows)
    }
    await hydratedElement(page.locator('article > section').last())
    expectQuietConsole()
  })

  test('bring their styles', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/components')
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
    await expect.poll(() => styleOf('.leaflet-container', 'overflow')).toBe('hidden')
    expect(await styleOf('.rdp-root', '--rdp-day-width')).toBe('44px')
  })

  test('can be a worker, and WASM, JSON, text and SVG are imported as in Vite', async () => {
    expect(await (await served.fetch('/module')).json()).toEqual({ sum: 5 })
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/files')
    const texts = () =>
      page.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll('p')].map((p) => [p.id, p.textContent?.trim()]),
        ),
      )
    await expect.poll(texts).toEqual({
      json: 'words of JSON',
      raw: 'raw words',
      svg: '',
      worker: 'Worked From The Page',
      imported: 'Worked Imported',
      wasm: '42',
      client: 'words of JSON raw words',
    })
    expect(await page.locator('#svg svg[aria-label=mark] path, #client svg path').count()).toBe(2)
    expectQuietConsole()
  })
})
