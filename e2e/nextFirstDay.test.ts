import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

/** A package that renders React itself, with hooks and `react-dom/server`. */
const rendererNamed = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    peerDependencies: { react: '*' },
  }),
  [`node_modules/${name}/index.js`]: `import { createElement, useState } from 'react'
export const Greeting = ({ children }) => createElement('b', null, useState('Dear ')[0], children)
export async function render(element) {
  const { renderToStaticMarkup } = await import('react-dom/server')
  return renderToStaticMarkup(element)
}`,
})

/**
 * A package whose client component calls the package's own action, as the package of an
 * authentication service does.
 */
const actionPackage = {
  'node_modules/visit-button/package.json': JSON.stringify({
    name: 'visit-button',
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js', './actions': './actions.js', './server': './server.js' },
    peerDependencies: { next: '*', react: '*' },
  }),
  'node_modules/visit-button/index.js': `'use client'
import { createElement, useState } from 'react'
import { countVisit } from './actions.js'
export function VisitButton() {
  const [visits, setVisits] = useState('none')
  return createElement('button', { onClick: async () => setVisits(await countVisit()) }, 'Visits: ', visits)
}`,
  'node_modules/visit-button/server.js': `import { createElement } from 'react'
import { VisitButton } from './index.js'
export async function Visits() {
  require('server-only')
  return createElement('p', null, createElement(VisitButton))
}`,
  'node_modules/visit-button/actions.js': `'use server'
import { cookies } from 'next/headers'
export async function countVisit() {
  const jar = await cookies()
  jar.set('visits', String(Number(jar.get('visits')?.value ?? 0) + 1))
  return jar.get('visits').value
}`,
}

/** A plugin that `postcss.config.mjs` names by a string. It replaces one colour. */
const postcssPackage = {
  'postcss.config.mjs': "export default { plugins: [['first-colour', { to: 'rgb(1, 2, 3)' }]] }",
  'node_modules/first-colour/package.json': '{ "name": "first-colour", "main": "index.js" }',
  'node_modules/first-colour/index.js': `module.exports = ({ to }) => ({
  postcssPlugin: 'first-colour',
  Declaration(declaration) {
    if (declaration.value === 'gold') declaration.value = to
  },
})`,
}

/** A loader that `turbopack.rules` applies to style sheets, as Tailwind's does. It replaces one colour. */
const styleLoader = {
  'node_modules/paint-loader/package.json': '{ "name": "paint-loader", "main": "index.js" }',
  'node_modules/paint-loader/index.js': `module.exports = function (css) {
  const done = this.async()
  this.addContextDependency(this.rootContext + '/app')
  setImmediate(() => done(null, css.replaceAll('paint', this.getOptions().to)))
}`,
}

/** A package whose copy of `package.json` in `dist` has a `main` that doesn't exist. */
const ownMainManifest = JSON.stringify({
  name: 'own-main',
  version: '1.0.0',
  type: 'module',
  main: 'dist/index.js',
  peerDependencies: { react: '*' },
})
const mainPackage = {
  'node_modules/own-main/package.json': ownMainManifest,
  'node_modules/own-main/dist/package.json': ownMainManifest,
  'node_modules/own-main/dist/index.js':
    "export const own = 'own'\nexport { name } from './parts/name.js'\n",
  'node_modules/own-main/dist/parts/name.js':
    "'use no memo'\nimport { own } from '../'\nexport const name = own + ' main'\n",
}

/** A Next.js repository before it is moved to Waymark, with JavaScript, CommonJS and a `webpack` function. */
const app = {
  app: 'nextFirstDay',
  files: {
    '.env': [
      'NEXT_PUBLIC_API_URL=https://api.example.test/v1',
      'NEXT_PUBLIC_MAP_KEY=pk.abcdefghijkl',
      'NEXTAUTH_URL=http://localhost:3000',
      'AUTH_SECRET=of-the-server-alone',
    ].join('\n'),
    // Add stand-ins for the packages that SVGR's loader needs. Packages that are installed for the
    // tests are real.
    'node_modules/@svgr/webpack/package.json': '{ "name": "@svgr/webpack", "main": "index.js" }',
    'node_modules/@svgr/webpack/index.js': '',
    'node_modules/@svgr/plugin-svgo/package.json':
      '{ "name": "@svgr/plugin-svgo", "main": "index.js" }',
    'node_modules/@svgr/plugin-svgo/index.js': 'module.exports = (code) => code',
    ...postcssPackage,
    ...styleLoader,
    ...mainPackage,
    ...actionPackage,
    ...rendererNamed('letter-press'),
    ...rendererNamed('@react-email/render'),
  },
}

describeModes('an unchanged App Router app', app, (served) => {
  test('shows its font, its style, and SVG files as components', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    expect(await page.locator('h1').textContent()).toBe('first day')
    expect(await page.locator('h1').evaluate((h1) => getComputedStyle(h1).color)).toBe(
      'rgb(1, 2, 3)',
    )
    const painted = page.locator('h1')
    expect(await painted.evaluate((h1) => getComputedStyle(h1).outlineColor)).toBe('rgb(4, 5, 6)')
    const family = await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)
    expect(family).toContain('Source Serif 4')
    expect(await page.locator('svg#mark.mark rect').getAttribute('fill')).toBe('#123456')
    const image = page.getByRole('img', { name: 'Mark' })
    expect(await image.getAttribute('height')).toBe('20')
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(10)
    expect(await page.locator('code').textContent()).toBe('void main() {}')
    expectQuietConsole()
  })

  test('has its public variables and its empty modules in browsers', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/client')
    await hydrated(page)
    expect(await page.locator('h1').textContent()).toBe('https://api.example.test/v1')
    await page.getByText('pk.abcdefghijkl').waitFor()
    await page.getByText('next.config.js for http://localhost:3000').waitFor()
    await page.getByText('Reads undefined undefined object in browsers').waitFor()
    await page.locator('svg#mark').waitFor()
    await page.getByRole('button', { name: '0' }).click()
    await page.getByRole('button', { name: '1' }).waitFor()
    expectQuietConsole()
  })

  test('imports files by a computed path, and gets the code of a missing one', async () => {
    const headingOf = async (path: string) => {
      const [, text] = /<h1>(.*?)<\/h1>/.exec(await (await served.fetch(path)).text()) ?? []
      return text?.replaceAll('<!-- -->', '')
    }
    expect(await headingOf('/posts/a')).toBe('a: <b>a chart</b>, a note by own main')
    expect(await headingOf('/posts/b')).toBe('b: no chart, no note by own main')
  })

  test('serves images whose extension is wrong as the type of their content', async () => {
    const typeOf = async (path: string) => (await served.fetch(path)).headers.get('content-type')
    expect(await typeOf('/favicon.ico')).toBe('image/png')
    const html = await (await served.fetch('/posts/a')).text()
    const icons = html.match(/<link[^>]*rel="icon"[^>]*>/g) ?? []
    expect(icons.map((icon) => /type="([^"]*)"/.exec(icon)?.[1])).toEqual([
      'image/png',
      'image/png',
    ])
    const url = /href="([^"]*icon[^"]*\.png[^"]*)"/.exec(icons.join())?.[1] ?? ''
    expect(await typeOf(url)).toBe('image/png')
  })

  test('draws a card with a gap for a picture that it cannot fetch', async () => {
    const card = await served.fetch('/gap/opengraph-image/image.png')
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('reads the files that its code names, and no others', async () => {
    expect(await (await served.fetch('/card')).text()).toBe('A note. | A note. | refused | in Node')
    const card = await served.fetch('/card/opengraph-image/image.png')
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test.each([
    ['its client component in a client page', '/visits'],
    ['its client component in a server page', '/visits/server'],
    ['its server component', '/visits/package'],
    ["the app's client component", '/visits/own'],
  ])('an action of a package is called by %s', async (_, path) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(path)
    await hydratedElement(page.getByRole('button'))
    for (const visits of ['none', '1', '2']) {
      await page.getByRole('button', { name: `Visits: ${visits}` }).click()
    }
    await page.getByRole('button', { name: 'Visits: 3' }).waitFor()
    expectQuietConsole()
  })

  test.each(['press', 'email'])('server packages render React by themselves: %s', async (name) => {
    const letter = await served.fetch(`/letter?by=${name}`)
    expect(await letter.text()).toBe('<p><b>Dear reader</b></p>')
  })

  test('has a sitemap without the variable that names the site', async () => {
    const sitemap = await served.fetch('/sitemap.xml')
    expect(await sitemap.text()).toContain('<loc>http://localhost/undefined/</loc>')
  })

  test('explains code that reads cookies without waiting, with its line', async () => {
    const response = await served.fetch('/session/sync')
    expect(response.status).toBe(500)
    await expect
      .poll(served.app.logs)
      .toMatch(/cookies\(\) returns a promise, but code reads get .*\(await cookies\(\)\)\.get/)
    // A build without source maps names the chunk.
    expect(served.app.logs()).toMatch(
      /get from it.* at GET \(.*(?:app\/session\/sync\/route\.js:6|\/route-[\w-]+\.js:\d+):/,
    )
  })

  test('a page reads the cookies that the middleware sets', async () => {
    const read = async (headers: Record<string, string>) => {
      const response = await served.fetch('/session', { headers })
      const [, text] = /<h1>(.*?)<\/h1>/.exec(await response.text()) ?? []
      return [text, response.headers.getSetCookie().length]
    }
    expect(await read({})).toEqual(['fresh', 2])
    expect(await read({ cookie: 'session=stale; old=1; kept=2' })).toEqual(['fresh kept=2', 2])
    const { page } = await openPage(served.app)
    await page.goto('/client')
    await hydrated(page)
    await page.getByRole('link', { name: 'Session' }).click()
    await page.getByRole('heading', { name: 'fresh' }).waitFor()
  })
})

const timeout = 240_000

test("a build lists options without effect, and refuses a file that can't be loaded", {
  timeout,
}, async () => {
  const folder = copyApp({
    ...app,
    files: { ...app.files, 'app/data.yaml': 'a: 1', 'app/data.js': "import './data.yaml'" },
  })
  const built = await runWaymark(['build'], folder)
  expect(built.exitCode, built.output).toBe(0)
  const noted = built.output.match(
    /app\/client\/page\.jsx:8: dynamic has no effect in a file with/g,
  )
  expect(noted).toHaveLength(1)
  expect(built.output).not.toContain('app/client/page.jsx exports')
  expect(built.output).not.toContain('IMPORT_IS_UNDEFINED')
  expect(built.output.match(/after\(\) in generateStaticParams/g)).toHaveLength(1)
  expect(built.output).toContain(
    "app/favicon.ico is served as image/png, because its content isn't image/x-icon. Rename it to icon.png.",
  )
  expect(built.output.match(/ImageResponse left a gap/g)).toHaveLength(1)
  expect(built.output).toContain('Packages contain directives without effect (own-main).')
  expect(built.output).not.toContain('MODULE_LEVEL_DIRECTIVE')
  execFileSync(
    'node',
    [
      '-e',
      `const fs = require('fs')
     const write = (file, from, to) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(from, to))
     write('next.config.js', "{ test: /\\\\.glsl$/", "{ test: /\\\\.ya?ml$/, use: 'yaml-loader' }, $&")
     write('app/page.js', "import Link", "import './data.js'\\n$&")`,
    ],
    { cwd: folder },
  )
  const refused = await runWaymark(['build'], folder)
  expect(refused.exitCode).toBe(1)
  expect(refused.output).toMatch(/app\/data\.yaml is loaded by yaml-loader .*vite-plugin-yaml/)
})
