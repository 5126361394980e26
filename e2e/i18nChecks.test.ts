import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'

function buildOf(app: string, env: Readonly<Record<string, string>> = {}) {
  const root = copyApp({ app })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return runWaymark(['build'], root, env)
}

const problems = `@waymark/i18n found 13 problems:
  messages/en.json:7: onlyEnglish is missing in messages/de.json.
  messages/en.json:8: the group checkout with 2 messages is missing in messages/de.json.
  messages/de.json:6: home.old isn't in messages/en.json. Add it there, or delete it.
  messages/de.json:5: home.greeting lacks {name} and <b> and has {nmae}, unlike the message in messages/en.json.
  messages/ar.json:4: home.files lacks the plural forms zero, two, few and many of {count}, which Arabic needs for numbers such as 0, 2, 3 and 11.
  app/[locale]/layout.tsx:14: <html> has lang="en" on /de and 3 other pages, whose language is de. Write <html {...htmlProps()}>.
  app/[locale]/layout.tsx:14: <html> has lang="en" on /ar and 3 other pages, whose language is ar. Write <html {...htmlProps()}>.
  app/[locale]/about/page.tsx:3: The alternate in de of /en/about and 2 other pages is /de/nothing, which is not a page.
  app/[locale]/about/page.tsx:3: The alternate in en of /de/about and 1 other page is /en/about, which doesn't name /de/about as an alternate.
  app/[locale]/news/[slug]/page.tsx:3: Pages in de and ar are missing for /en/news/one and 1 other page. List them in generateStaticParams. If the params differ, pass them to alternates(). If no such page exists, write alternates({ de: null, ar: null }).
  vite.config.ts:12: pathnames has /abuot, but the app has no such page.
  vite.config.ts:11: In de, the pages /imprint and /contact both have the URL /kontakt.
  greeting.ts:4: app/[locale]/welcome/page.tsx depends on the header accept-language, although its URL names the language. Use getLocale() instead.
`

test('a build names each mistake with its place', async () => {
  const { exitCode, output } = await buildOf('broken-i18n')
  expect(exitCode).toBe(0)
  expect(output).toContain(problems)
})

test('mistakes can stop a build', async () => {
  const { exitCode, output } = await buildOf('broken-i18n', { CHECKS: 'error' })
  expect(exitCode).toBe(1)
  expect(output).toContain('The build stopped because of a check. @waymark/i18n found')
  expect(output).not.toContain('Built in')
})

test('an app without mistakes has no problems', async () => {
  const { exitCode, output } = await buildOf('i18n')
  expect(exitCode).toBe(0)
  expect(output).not.toContain('@waymark/i18n found')
})

describeModes('mistakes in messages', { app: 'broken-i18n', modes: ['dev'] }, (served) => {
  const missing = 'messages/en.json:7: onlyEnglish is missing in messages/de.json.'

  test('are logged once, and the page has the message in the default language', async () => {
    for (const path of ['/de', '/de', '/en']) {
      expect(await (await served.fetch(path)).text()).toContain('<p>Not translated</p>')
    }
    await expect.poll(() => served.app.logs()).toContain(missing)
    expect(served.app.logs().split(missing)).toHaveLength(2)
  })

  test('are logged when a file changes', async () => {
    served.app.edit('messages/de.json', (text) => text.replace('{nmae}', '{name} {more}'))
    await expect.poll(() => served.app.logs()).toContain('home.greeting lacks <b> and has {more}')
    expect(served.app.logs().split(missing)).toHaveLength(2)
  })
})
