import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Mode } from './harness/app.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import { frameThemes, noteFrameThemes } from './harness/frameThemes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { paintedColors } from './harness/paintedColors.ts'

type Scheme = 'light' | 'dark'

const systems: readonly Scheme[] = ['light', 'dark']

/** All combinations of a preference and a system setting, with the resulting theme. */
const people = ['light', 'dark', 'system'].flatMap((preference) =>
  systems.map((system) => ({
    preference,
    system,
    theme:
      preference === 'dark' || (preference === 'system' && system === 'dark') ? 'dark' : 'light',
  })),
) as readonly { preference: string; system: Scheme; theme: Scheme }[]

// Colour of the screen before a test, which no theme uses.
const startColor = 'rgb(0 255 0)'
const appColors = { light: 'rgb(255 240 200)', dark: 'rgb(20 30 60)' }
const screenColors = { light: 'rgb(251 250 248)', dark: 'rgb(23 23 21)' }

const pages: readonly (readonly [path: string, status: number])[] = [
  ['/', 200],
  ['/dynamic', 200],
  ['/streamed', 200],
  ['/nowhere', 404],
  ['/gone', 404],
  ['/members', 401],
  ['/secret', 403],
  ['/broken', 500],
]

/** True if a page that only follows the system setting would show the wrong theme. */
const disagrees = ({ system, theme }: { system: Scheme; theme: Scheme }) => system !== theme

/**
 * Returns the people to test in a mode. In development, only those with a preference that differs
 * from the system are tested, because the dev server sends the same script.
 */
function peopleOf(mode: Mode) {
  return mode === 'dev' ? people.filter(disagrees) : people
}

/** Returns all pages for people who could see a wrong theme, and a sample of pages for others. */
function pagesOf(person: { system: Scheme; theme: Scheme }) {
  return disagrees(person) ? pages : pages.filter((_page, index) => index % 4 === 1)
}

const overlay = '*virtual:waymark/overlay*'
const scripts = { dev: ['*/@*', '*.ts*', '*/node_modules/*'], production: ['*.js'] }

/** Opens a browser in which a person has chosen a theme earlier. */
async function openAs(
  served: Served,
  { preference, system }: { preference: string; system: Scheme },
  options: BrowserContextOptions = {},
) {
  const localStorage = [{ name: 'theme', value: preference }]
  const visit = await openPage(served.app, {
    colorScheme: system,
    viewport: { width: 320, height: 700 },
    storageState: { cookies: [], origins: [{ origin: served.app.origin, localStorage }] },
    ...options,
  })
  await block(visit.page, [overlay])
  return visit
}

// Let the browser block requests itself, which is far faster than asking the test. Block Vite's
// overlay, too, because it would cover the page.
async function block(page: Page, urls: readonly string[]) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: [...urls] })
}

/** Loads a document, and returns the colours that appear on the screen, in order. */
async function colorsOf(page: Page, path: string, { status = 200, whenHydrated = true } = {}) {
  await page.goto('/start')
  const colors = await paintedColors(page, async () => {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(status)
    if (whenHydrated) await page.locator('[data-hydrated=true]').first().waitFor()
  })
  return colors.filter((color) => color !== startColor)
}

describeApp('the first frame', { app: 'theme' }, (served) => {
  const timeout = 90_000

  test.for(peopleOf(served.mode))(
    'is right for $preference on a $system system',
    { timeout },
    async (person) => {
      const { page } = await openAs(served, person)
      await noteFrameThemes(page)
      for (const [path, status] of pagesOf(person)) {
        expect(await colorsOf(page, path, { status }), path).toEqual([appColors[person.theme]])
        expect(await frameThemes(page), path).toEqual([person.theme])
      }
    },
  )

  test.for(peopleOf(served.mode))(
    'needs no script of the app for $preference on a $system system',
    { timeout },
    async (person) => {
      const { page } = await openAs(served, person)
      await noteFrameThemes(page)
      await block(page, scripts[served.mode])
      for (const [path, status] of pagesOf(person)) {
        const colors = await colorsOf(page, path, { status, whenHydrated: false })
        expect(colors, path).toEqual([appColors[person.theme]])
        expect(await frameThemes(page), path).toEqual([person.theme])
        expect(await page.locator('[data-hydrated=true]').count(), 'scripts ran').toBe(0)
      }
    },
  )

  test.for(peopleOf(served.mode))(
    'of a screen outside of all layouts is right for $preference on a $system system',
    async (person) => {
      const { page } = await openAs(served, person)
      await noteFrameThemes(page)
      for (const path of ['/', '/dynamic']) {
        await page.route(`**${path}`, (route) => route.continue({ method: 'PUT' }))
        const colors = await colorsOf(page, path, { status: 405, whenHydrated: false })
        expect(colors, path).toEqual([screenColors[person.theme]])
        expect(await frameThemes(page), path).toEqual([person.theme])
      }
    },
  )

  test.for(systems)('of a screen follows a %s system without scripts', async (system) => {
    const options = { javaScriptEnabled: false }
    const { page } = await openAs(served, { preference: 'light', system }, options)
    await page.goto('/start')
    await page.route('**/dynamic', (route) => route.continue({ method: 'PUT' }))
    const colors = await paintedColors(page, () => page.goto('/dynamic'))
    expect(colors.filter((color) => color !== startColor)).toEqual([screenColors[system]])
  })

  const decided = people.filter(({ preference, system }) => preference === system)

  test.for(decided)('has the forced theme for $preference on a $system system', async (person) => {
    const { page } = await openAs(served, person)
    await noteFrameThemes(page)
    for (const [path, theme] of [
      ['/night', 'dark'],
      ['/night/day', 'light'],
      ['/night/odd', 'dark'],
      ['/night/missing', 'dark'],
      ['/night/late', 'light'],
    ] as const) {
      const status = path === '/night/missing' ? 404 : 200
      expect(await colorsOf(page, path, { status }), path).toEqual([appColors[theme]])
      expect(await frameThemes(page), path).toEqual([theme])
    }
  })
})

const failingLayout = `
  import { connection } from 'waymark/server'
  export default async function RootLayout() {
    await connection()
    throw new Error('on purpose')
  }`

const globalError = `
  'use client'
  import './theme.css'
  export default function GlobalError() {
    return <html lang="en"><body><h1>All is lost</h1></body></html>
  }`

for (const [screen, files, colors] of [
  ['the built-in screen', {}, screenColors],
  ["the app's global-error", { 'app/global-error.tsx': globalError }, appColors],
] as const) {
  describeApp(
    `the first frame of ${screen} above a root layout that throws`,
    { app: 'theme', files: { 'app/layout.tsx': failingLayout, ...files } },
    (served) => {
      test.for(peopleOf(served.mode))(
        'is right for $preference on a $system system',
        async (person) => {
          const { page, expectQuietConsole } = await openAs(served, person)
          await noteFrameThemes(page)
          const seen = await colorsOf(page, '/', { status: 500, whenHydrated: false })
          await hydratedElement(page.getByRole('heading'))
          expect(seen).toEqual([colors[person.theme]])
          expect(await frameThemes(page)).toEqual([person.theme])
          expect(await page.locator('title').count()).toBeLessThan(2)
          expectQuietConsole([/Failed to load resource/, /on purpose/])
        },
      )
    },
  )
}
