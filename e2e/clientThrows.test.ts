import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp } from './harness/describeModes.ts'
import { appPlaces, digestPattern, lookUp } from './harness/digests.ts'
import { openPage } from './harness/page.ts'
import { startBuild } from './harness/startBuild.ts'

describeApp('a client component that throws on the server', { app: 'clientThrows' }, (served) => {
  test.each([
    ['/outermost', 'Outermost', null, 'app/(root)/layout.tsx:7'],
    ['/bare', 'Bare', 'outer', 'app/width.tsx:7'],
    ['/nested/deep', 'Deep', 'outer', 'app/width.tsx:7'],
    ['/library', 'Library', 'outer', 'app/(main)/library/onlyBrowser.ts:1'],
  ])('%s: a 500 with the nearest screen, then the page', async (path, heading, screen, place) => {
    const response = await served.fetch(path)
    const html = await response.text()
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    if (screen) expect(html).toMatch(new RegExp(`role="alert">${screen} .*${digest}`))
    else expect(html).toContain(`Digest: ${digest}`)
    expect(appPlaces(await lookUp(served, digest), served.app)[0]).toBe(place)
    const { page } = await openPage(served.app)
    expect((await page.goto(path))?.status()).toBe(500)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.locator('b', { hasText: 'true' }).waitFor()
    expect(await page.locator('.waymark-screen').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test.each(['/part', '/late'])(
    '%s: inside Suspense, the fallback, then the page',
    async (path) => {
      const { page } = await openPage(served.app)
      expect((await page.goto(path))?.status()).toBe(200)
      await page.locator('b', { hasText: 'true' }).waitFor()
      expect(await page.getByText('only in a browser').count()).toBe(0)
    },
  )

  test('if its code is missing, too, the document is reloaded once, and a notice offers a retry', async () => {
    const { page } = await openPage(served.app)
    let documents = 0
    let isMissing = true
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.route(/\.(?:js|tsx)(?:\?|$)/, async (route) => {
      const response = await route.fetch()
      const isWidth = (await response.text()).includes('wide: ')
      await route.fulfill(isMissing && isWidth ? { status: 404, body: '' } : { response })
    })
    await page.goto('/bare')
    const notice = page.locator('[data-waymark-notice]')
    // The notice appears after the page has automatically retried with two documents.
    await notice.waitFor()
    expect(documents).toBe(2)
    isMissing = false
    const arrived = page.getByRole('heading', { name: 'Bare' })
    // Ignore a failed click, because the automatic retry in the background may be faster.
    await Promise.any([notice.getByRole('button', { name: 'Retry' }).click(), arrived.waitFor()])
    await arrived.waitFor()
  })

  test('inside Suspense, the journal has the place', async () => {
    const html = await (await served.fetch('/late')).text()
    const [digest = ''] = digestPattern.exec(html) ?? []
    const entry = await lookUp(served, digest)
    expect(appPlaces(entry, served.app)[0]).toBe('app/width.tsx:7')
    expect(entry.status).toBe(200)
  })
})

test('a build names the file and the line, continues, and ends with exit code 1', async () => {
  const file = 'app/(main)/frozen/page.tsx'
  const text = readFileSync(
    join(import.meta.dirname, 'fixtures/clientThrows/app/(main)/bare/page.tsx'),
  )
  const frozen = String(text).replace("export const dynamic = 'force-dynamic'\n", '')
  const partial = String(text)
    .replace('force-dynamic', 'partial')
    .replace('<h1>', '<StreamedPart /><h1>')
  const partialSource = `import { connection } from 'waymark/server'
import { Suspense } from 'react'
const Now = async () => (await connection(), 'now')
export const StreamedPart = () => <Suspense fallback="waiting"><Now /></Suspense>
`
  const files = {
    [file]: frozen,
    'app/(main)/shell/page.tsx': `import { StreamedPart } from '../../streamedPart.tsx'\n${partial}`,
    'app/streamedPart.tsx': partialSource,
  }
  const root = copyApp({ app: 'clientThrows', files })
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode).toBe(1)
  expect(output).toMatch(
    /\/frozen \(\(main\)\/frozen\/page\.tsx\).*window is not defined.* at app\/width\.tsx:7:/,
  )
  expect(output).toMatch(
    /\/part \(\(main\)\/part\/page\.tsx\).* at app\/width\.tsx:7:.*Suspense fallback/,
  )
  expect(output).toMatch(/\/shell \(\(main\)\/shell\/page\.tsx\).* at app\/width\.tsx:7:/)
  const prerendered = JSON.parse(readFileSync(join(root, '.waymark/prerendered.json'), 'utf8'))
  expect(Object.keys(prerendered.files).filter((pathname) => !pathname.includes('_'))).toEqual([
    '/',
    '/part',
  ])
  const { origin, stop } = await startBuild(root)
  onTestFinished(stop)
  expect((await fetch(`${origin}/frozen`)).status).toBe(500)
})
