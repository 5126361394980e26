import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const password = 'nine lives and one'
let people = 0

/**
 * Returns an email address that no earlier test has used, even in a different run against the same
 * build.
 */
const newEmail = () => `p${process.pid}-${Date.now()}-${people++}@example.org`
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor()
// Use only visible fields, because pages that were left stay in the document, hidden.
const field = (page: Page, label: string) => page.getByLabel(label).filter({ visible: true })
const cartCount = (page: Page) => page.locator('.count').textContent()

async function addToCart(page: Page, slug: string) {
  await page.goto(`/en/products/${slug}`)
  await pressAddToCart(page)
}

/**
 * Adds the visible product to the cart, once the page shows its stock. Without scripts, the form
 * opens a new page.
 */
async function pressAddToCart(page: Page) {
  await page.locator('.stock', { hasText: 'left' }).waitFor()
  await press(page, 'Add to cart')
  await page.getByText('In your cart: 1.').waitFor()
}

async function join(page: Page, email: string) {
  await heading(page, 'Create an account')
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(password)
  await press(page, 'Create an account')
}

async function fillOrder(page: Page) {
  await field(page, 'Street').fill('Way 1')
  await field(page, 'Postcode').fill('1234')
  await field(page, 'City').fill('Rome')
  await press(page, 'Order for')
  await page.getByText('Thank you.').waitFor()
}

/** Submits a page's form as a browser without JavaScript does, with some fields changed. */
async function sendForm(served: Served, page: Page, changed: Readonly<Record<string, string>>) {
  const fields = await page.locator('main form').evaluate((form) => [
    // biome-ignore lint/suspicious/noExplicitAny: the browser's FormData takes a form
    ...(new FormData(form as any) as unknown as Iterable<[string, string]>),
  ])
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  for (const [name, value] of Object.entries(changed)) body.set(name, value)
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: served.app.origin }
  return served.fetch(new URL(page.url()).pathname, { method: 'POST', body, headers })
}

// Use a new build with the full stock for each run, because a build remembers the remaining stock.
const data = mkdtempSync(`${tmpdir()}/shop-`)
afterAll(() => rmSync(data, { recursive: true }))
const shop = { app: 'examples/shop', env: { SHOP_DATA: data } }

describeModes('the shop', shop, (served) => {
  test('sells: search, dialog, cart, account, order', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, { locale: 'de-AT' })
    await page.goto('/')
    await heading(page, 'Aus dem letzten Brand')
    // Vite's dependency scan must not fail at `server-only`, which the shop's session imports and
    // which is not a real package.
    expect(served.app.logs()).not.toContain('dependency scan')
    await follow(page, 'English')
    await heading(page, 'From the last firing')
    await hydrated(page)
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    await follow(page, 'Everything')
    await field(page, 'Kind').selectOption('Bowls')
    await press(page, 'Show')
    await page.getByText('3 pieces').waitFor()
    expect(new URL(page.url()).searchParams.get('kind')).toBe('bowl')

    await page.getByRole('link', { name: 'Soup bowl' }).click()
    const dialog = page.getByRole('dialog', { name: 'Soup bowl' })
    await dialog.getByRole('button', { name: 'Add to cart' }).click()
    await dialog.getByText('In your cart: 1.').waitFor()
    expect(await cartCount(page)).toContain('1')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('3 pieces').waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Cart' }).click()
    await heading(page, 'Cart')
    // Hold the request, because the number must be correct before the server has responded.
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/en/cart', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await hydrated(page)
    await press(page, 'One more: Soup bowl')
    await page.locator('.total', { hasText: '€68.00' }).waitFor()
    expect(await cartCount(page)).toContain('1')
    letGo()
    await page.locator('.count', { hasText: '2' }).waitFor()
    expectQuietConsole()

    await page.getByRole('link', { name: 'Order', exact: true }).click()
    await heading(page, 'Please sign in')
    await follow(page, 'Sign in')
    await follow(page, 'Create an account')
    await join(page, newEmail())
    await heading(page, 'Order')
    await hydrated(page)
    await field(page, 'Name').fill('Ada')
    await press(page, 'Order for €68.00')
    await page.getByText('Fill in this field.').first().waitFor()
    expect(await field(page, 'Name').inputValue()).toBe('Ada')
    await page.reload()
    await hydrated(page)
    expect(await field(page, 'Name').inputValue()).toBe('Ada')
    await fillOrder(page)

    await follow(page, 'Account')
    await page.getByRole('listitem').getByText('€68.00').waitFor()
    await press(page, 'Sign out')
    await heading(page, 'From the last firing')
    await page.goBack()
    await heading(page, 'Please sign in')
    expect(await page.getByText('example.org').filter({ visible: true }).count()).toBe(0)
  })
})

describeApp('the shop', shop, (served) => {
  test('sells without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false, locale: 'en' })
    await page.goto('/en/products')
    await field(page, 'Search').fill('branch')
    await press(page, 'Show')
    await page.getByText('1 piece').waitFor()
    await page.getByRole('link', { name: 'Bottle vase' }).click()
    await heading(page, 'Bottle vase')
    await pressAddToCart(page)
    await follow(page, 'Go to the cart')
    await press(page, 'One more: Bottle vase')
    await page.locator('.total', { hasText: '€128.00' }).waitFor()
    await page.getByRole('link', { name: 'Order', exact: true }).click()
    await follow(page, 'Sign in')
    await follow(page, 'Create an account')
    await join(page, 'nobody')
    await page.getByText('Enter a valid e-mail address.').waitFor()
    expect(await field(page, 'E-mail').inputValue()).toBe('nobody')
    await join(page, newEmail())
    await heading(page, 'Order')
    await field(page, 'Name').fill('Ada')
    await fillOrder(page)
    await follow(page, 'Account')
    await press(page, 'Sign out')
    await heading(page, 'From the last firing')
  })
})

const inProduction = { ...shop, modes: ['production'] } as const

describeModes('the shop with bad input', inProduction, (served) => {
  test('answers with the right statuses', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false, locale: 'en' })
    const statusOf = async (path: string) => (await served.fetch(path)).status
    expect(await statusOf('/xx')).toBe(404)
    expect(await statusOf('/en/products/nothing')).toBe(404)
    expect(await statusOf('/en/products?q=a&q=b&kind=spoon&sort[]=1')).toBe(200)
    expect(await statusOf('/en/account/orders/1')).toBe(401)

    await addToCart(page, 'tall-mug')
    const forged = await sendForm(served, page, { slug: '../secret' })
    expect(forged.status).toBe(422)
    await page.goto('/en/cart')
    for (const change of ['tall-mug:99', 'tall-mug:-1', 'spoon:1', '']) {
      expect((await sendForm(served, page, { change })).status).toBe(422)
    }
    const email = newEmail()
    await page.goto('/en/join?next=//evil.example')
    await join(page, email)
    await heading(page, 'Account')
    await page.goto('/en/order')
    await field(page, 'Name').fill('Ada <script>')
    await fillOrder(page)
    const order = new URL(page.url()).pathname

    const other = await openPage(served.app, { javaScriptEnabled: false, locale: 'en' })
    await other.page.goto('/en/join')
    await join(other.page, email)
    await other.page.getByText('already has an account').waitFor()
    await join(other.page, newEmail())
    await heading(other.page, 'Account')
    // Repeat the request, because the response begins with 200 if the guard reads its file for
    // longer than the status may wait.
    await expect.poll(async () => (await other.page.goto(order))?.status()).toBe(403)
    await heading(other.page, 'Not yours')
    expect(await other.page.content()).not.toContain('Ada')

    await other.page.context().clearCookies()
    await other.page.goto('/en/login')
    await field(other.page, 'E-mail').fill(email)
    await field(other.page, 'Password').fill('another password')
    await press(other.page, 'Sign in')
    await other.page.getByText('Wrong e-mail or password').waitFor()
  })
})

const stock = (page: Page) => page.locator('.stock').filter({ visible: true })

/** Opens a live page, and waits for its first request for changes. */
async function openLive(page: Page, path: string) {
  const waits = page.waitForResponse((response) => response.url().endsWith('/_waymark/live'))
  await page.goto(path)
  await waits
  await hydrated(page)
}

/** Opens a page as a visitor with an account and with a product in the cart. */
async function openBuyer(served: Served, slug: string, quantity: number): Promise<Page> {
  const { page } = await openPage(served.app, { javaScriptEnabled: false, locale: 'en' })
  await page.goto('/en/join')
  await join(page, newEmail())
  await heading(page, 'Account')
  await addToCart(page, slug)
  await page.goto('/en/cart')
  await sendForm(served, page, { change: `${slug}:${quantity}` })
  return page
}

async function order(page: Page) {
  await page.goto('/en/order')
  await field(page, 'Name').fill('Ada')
  await fillOrder(page)
}

describeApp('the stock of the shop', shop, (served) => {
  test('is live on the page, in the dialog and in the cart, and is not sold twice', async () => {
    const slug = served.mode === 'dev' ? 'moon-vase' : 'rice-bowl'
    const name = served.mode === 'dev' ? 'Moon vase' : 'Rice bowl'
    const [watcher, list] = await Promise.all([
      openPage(served.app, { locale: 'de' }),
      openPage(served.app, { locale: 'en' }),
    ])
    await openLive(watcher.page, `/de/products/${slug}`)
    await expect.poll(() => stock(watcher.page).textContent()).toBe('Noch 12 da')
    await list.page.goto('/en/products')
    await hydrated(list.page)
    await list.page.getByRole('link', { name }).click()
    const dialog = list.page.getByRole('dialog', { name })
    await dialog.getByText('12 left').waitFor()

    const secondBuyer = await openBuyer(served, slug, 3)
    await order(await openBuyer(served, slug, 10))
    await expect.poll(() => stock(watcher.page).textContent()).toBe('Noch 2 da')
    await dialog.getByText('2 left').waitFor()

    await secondBuyer.goto('/en/order')
    await secondBuyer.getByText(`Not enough left: ${name}.`).waitFor()
    await field(secondBuyer, 'Name').fill('Eve')
    await field(secondBuyer, 'Street').fill('Way 1')
    await field(secondBuyer, 'Postcode').fill('1234')
    await field(secondBuyer, 'City').fill('Rome')
    await press(secondBuyer, 'Order for')
    await secondBuyer.getByText(`Not enough left: ${name}.`).waitFor()
    expect(new URL(secondBuyer.url()).pathname).toBe('/en/order')
    await secondBuyer.goto('/en/cart')
    await secondBuyer.getByText('2 left').waitFor()
    expect(await stock(watcher.page).textContent()).toBe('Noch 2 da')

    await order(await openBuyer(served, slug, 2))
    await expect.poll(() => stock(watcher.page).textContent()).toBe('Ausverkauft')
    await secondBuyer.goto('/en/cart')
    await secondBuyer.getByText('Sold out').waitFor()
    const add = watcher.page.getByRole('button', { name: 'In den Korb' })
    expect(await add.isDisabled()).toBe(true)
    watcher.expectQuietConsole([/preloaded using link preload/])
    list.expectQuietConsole([/preloaded using link preload/])
  })
})
