import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { heading, pathOf } from './harness/visit.ts'

const password = 'nine lives and one'
let people = 0

/** Returns a name that no earlier test has used, even in a different run against the same build. */
const newName = (word: string) => `${word}-${process.pid}-${Date.now()}-${people++}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
// Use only visible fields, because pages that were left stay in the document, hidden.
const field = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).filter({ visible: true })
const visibleText = (page: Page, text: string) => page.getByText(text).filter({ visible: true })

async function join(page: Page): Promise<string> {
  const name = newName('ada')
  // Allow 40 s, because the first sign-in in a dev server compiles the app.
  page.setDefaultTimeout(40_000)
  await page.goto('/enter')
  await field(page, 'Name').fill(name)
  await field(page, 'Password').fill(password)
  await button(page, 'Create an account').click()
  await heading(page, 'Board').waitFor()
  return name
}

/**
 * Reports an issue, and stays on the page.
 * @returns the path of that page
 */
async function report(page: Page, title: string): Promise<string> {
  await page.goto('/new')
  await field(page, 'Title').fill(title)
  await field(page, 'Description').fill('Since Monday.')
  await button(page, 'Report').click()
  await heading(page, title).waitFor()
  return pathOf(page)
}

describeApp('the tracker', { app: 'examples/tracker' }, (served) => {
  test('filters in the URL, opens an issue over the board, shows a comment before the server has it', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await join(page)
    const title = newName('The lamp')
    const path = await report(page, title)
    await page.getByRole('link', { name: 'Board' }).first().click()
    await heading(page, 'Board').waitFor()
    await hydrated(page)
    await field(page, 'Text').fill(title)
    await button(page, 'Search').click()
    await expect.poll(() => pathOf(page)).toBe(`/board?text=${title.replaceAll(' ', '+')}`)
    await page.getByRole('link', { name: 'open', exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('open')
    const filtered = pathOf(page)
    await page.getByRole('link', { name: title }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect.poll(() => pathOf(page)).toBe(path)

    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('It is the switch.')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.locator('[aria-busy=true]', { hasText: 'It is the switch.' }).waitFor()
    letGo()
    await dialog.locator('[aria-busy=false]', { hasText: 'It is the switch.' }).waitFor()
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'doing' }).click()
    await dialog.getByRole('button', { name: 'doing', pressed: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => pathOf(page)).toBe(filtered)
    await expect.poll(() => page.getByRole('link', { name: title }).count()).toBe(0)
    await page.goto(path)
    await heading(page, title).waitFor()
    expect(await page.getByText('It is the switch.').count()).toBe(1)
    expectQuietConsole()
  })

  test("shows a user's entry to another user, who continues to type; a file arrives", async () => {
    const one = (await openPage(served.app)).page
    const other = (await openPage(served.app)).page
    await join(one)
    await join(other)
    const path = await report(one, newName('The door'))
    await other.goto(path)
    await hydrated(other)
    await other.getByRole('textbox', { name: 'Comment' }).fill('half a wo')
    await hydrated(one)
    await one.getByRole('textbox', { name: 'Comment' }).fill('It squeaks.')
    await button(one, 'Send').click()
    await other.getByText('It squeaks.').waitFor()
    expect(await other.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('half a wo')

    const file = { name: 'door.png', mimeType: 'image/png', buffer: Buffer.from('a picture') }
    await one.getByLabel('Attach').setInputFiles({ ...file, mimeType: 'text/html' })
    await one.getByRole('alert').filter({ hasText: 'Choose a JPEG' }).waitFor()
    await one.getByLabel('Attach').setInputFiles(file)
    const link = other.getByRole('link', { name: 'door.png' })
    const href = (await link.getAttribute('href')) ?? ''
    const response = await other.request.get(href)
    expect(response.headers()['content-disposition']).toMatch(/^attachment/)
    expect((await response.body()).toString()).toBe('a picture')
    expect((await served.fetch(href)).status).toBe(401)
  })

  test('limits names from a flood of requests, and counts the files of a person', async () => {
    const { page } = await openPage(served.app)
    await join(page)
    const path = await report(page, newName('The cellar'))
    const put = (type: string) =>
      page.request.put(`${path.replace('/board', '/issues')}/files`, {
        data: 'x',
        headers: { 'content-type': type },
      })
    expect((await put('constructor')).status()).toBe(422)
    const statuses = new Set<number>()
    for (let sent = 0; sent < 51; sent++) statuses.add((await put('image/png')).status())
    expect([...statuses]).toEqual([201, 429])

    const entrance = await (await served.fetch('/enter')).text()
    const hidden = [...entrance.matchAll(/type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)]
    const enter = async (): Promise<string> => {
      const fields = new FormData()
      for (const [, name = '', value = ''] of hidden) {
        fields.append(name, value.replaceAll('&quot;', '"'))
      }
      fields.set('$ACTION_IDEMPOTENCY_KEY', crypto.randomUUID())
      fields.set('name', newName('nobody'))
      fields.set('password', password)
      fields.set('way', 'enter')
      return (await served.fetch('/enter', { method: 'POST', body: fields })).text()
    }
    const pages = await Promise.all(Array.from({ length: 40 }, enter))
    const count = (text: string) => pages.filter((page) => page.includes(text)).length
    expect(count('Wrong name or password') + count('Many people are signing in')).toBe(40)
    expect(count('Wrong name or password')).toBeLessThan(25)
  })

  test('loses no comment while offline, and sends it once when the network is back', async () => {
    const { page } = await openPage(served.app)
    await join(page)
    await report(page, newName('The roof'))
    await hydrated(page)
    await page.context().setOffline(true)
    await field(page, 'Comment').fill('It leaks.')
    await button(page, 'Send').click()
    await page.locator('[data-waymark-notice]').waitFor()
    expect(await field(page, 'Comment').inputValue()).toBe('It leaks.')
    await page.context().setOffline(false)
    const comments = page.getByRole('listitem').filter({ hasText: 'It leaks.' })
    await comments.and(page.locator('[aria-busy=false]')).waitFor()
    await page.reload()
    expect(await comments.count()).toBe(1)
  })

  test('works without JavaScript, and only admins see the admin’s page', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    const name = await join(page)
    const path = await report(page, newName('The stairs'))
    await field(page, 'Comment').fill('One is loose.')
    await button(page, 'Send').click()
    await visibleText(page, 'One is loose.').waitFor()
    await button(page, 'done').click()
    await page.getByRole('button', { name: 'done', pressed: true }).waitFor()
    expect((await page.goto('/board/999999'))?.status()).toBe(404)
    await button(page, 'Sign out').click()
    await heading(page, 'Sign in').waitFor()
    await page.goto(path)
    await heading(page, 'Sign in').waitFor()
    await field(page, 'Name').fill(name)
    await field(page, 'Password').fill('another password')
    await button(page, 'Sign in').click()
    await page.getByText('Wrong name or password').waitFor()
    await join(page)
    expect((await page.goto('/admin'))?.status()).toBe(403)
  })
})
