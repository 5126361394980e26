// Usage: node research/suites/nextLearn.mjs [--repository <url or path>] [--into <folder>]
// The dashboard of Next's own course: Postgres, next-auth, streaming, forms with server actions.
import path from 'node:path'
import { must } from '../../scripts/workspace/run.mjs'
import { check, clickThrough, freePort, whileServed } from './clickThrough.mjs'
import { whilePostgresRuns } from './postgres.mjs'
import { changeManifest, layOut, moveApp, report } from './suite.mjs'

const suite = await layOut({
  name: 'next-learn',
  repository: 'https://github.com/vercel/next-learn',
  folders: { 'dashboard/final-example': 'app' },
})
const app = path.join(suite.folder, 'app')
await changeManifest(app, ({ pnpm: _, ...manifest }) => {
  // The first version that includes its binary. Earlier versions download or compile it.
  manifest.dependencies.bcrypt = '^6.0.0'
  return manifest
})
await moveApp(suite, app)

const port = await freePort()
const user = { email: 'user@nextmail.com', password: '123456' }
const unknown = '/dashboard/invoices/00000000-0000-4000-8000-000000000000/edit'

/** @param {import('playwright-core').Page} page */
const rows = (page) => page.locator('tbody tr')
/** @param {import('playwright-core').Page} page @param {string} password */
async function signIn(page, password) {
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
/** @param {import('playwright-core').Page} page @param {string} text */
const search = (page, text) => page.getByPlaceholder('Search invoices...').fill(text)
/** @type {import('./clickThrough.mjs').Step} */
const guarded = async (page) => {
  await page.goto('/dashboard/invoices')
  await page.getByText('Please log in to continue.').waitFor()
  const { pathname, searchParams } = new URL(page.url())
  const target = new URL(searchParams.get('callbackUrl') ?? '', page.url()).pathname
  check(pathname === '/login' && target === '/dashboard/invoices', page.url())
}

/** @type {(database: import('./postgres.mjs').Database) => Record<string, import('./clickThrough.mjs').Step>} */
const stepsInDevelopment = ({ whileLocked }) => ({
  'the seed route fills the database': async (page) => {
    const response = await page.request.get('/seed', { timeout: 60_000 })
    check(response.status() === 200, await response.text())
  },
  'signing in leads to the dashboard': async (page) => {
    // A dev server bundles packages again when a page is the first to need them, and reloads the
    // page.
    await page.goto('/login', { waitUntil: 'networkidle' })
    await page.reload({ waitUntil: 'networkidle' })
    await signIn(page, user.password)
    await page.waitForURL('**/dashboard', { timeout: 60_000 })
  },
  'cards are there while the chart still waits for its data': async (page) => {
    await whileLocked('revenue', async () => {
      await page.goto('/dashboard', { waitUntil: 'commit' })
      await page.getByText('Total Customers').waitFor()
      check((await page.getByText('Recent Revenue').count()) === 0, 'a chart without data')
    })
    await page.getByText('Recent Revenue').waitFor()
  },
})

/** @type {Record<string, import('./clickThrough.mjs').Step>} */
const steps = {
  'the front page has its picture': async (page) => {
    await page.goto('/')
    const picture = page.getByAltText('desktop version')
    await picture.waitFor()
    await page.waitForFunction(() => document.images[0] && document.images[0].naturalWidth > 0)
  },
  'its link leads to the form, without a document': async (page) => {
    await page.evaluate(() => Object.assign(window, { stays: true }))
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByText('Please log in to continue.').waitFor()
    check(await page.evaluate(() => 'stays' in window), 'another document')
  },
  'a guarded page redirects to it': guarded,
  'a wrong password is refused': async (page) => {
    await signIn(page, 'wrong-password')
    await page.getByText('Invalid credentials.').waitFor()
  },
  'signing in leads to the page that was asked for': async (page) => {
    await signIn(page, user.password)
    await page.waitForURL('**/dashboard/invoices')
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
  },
  'who is signed in is led from the form to the dashboard': async (page) => {
    await page.goto('/login')
    await page.waitForURL('**/dashboard')
  },
  'the dashboard has cards, a chart and the latest invoices': async (page) => {
    await page.getByText('Total Invoices').waitFor()
    check((await page.title()) === 'Acme Dashboard', await page.title())
    await page.getByText('Recent Revenue').waitFor()
    const latest = await page.getByAltText('profile picture').count()
    check(latest === 5, latest)
    const collected = page.locator('div:has(> div > h3:text-is("Collected")) > p')
    const amount = (await collected.textContent())?.trim()
    check(amount === '$1,006.26', amount)
  },
  'the list is reached without a document, and has its title': async (page) => {
    await page.evaluate(() => Object.assign(window, { stays: true }))
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await rows(page).first().waitFor()
    check(await page.evaluate(() => 'stays' in window), 'another document')
    check((await page.title()) === 'Invoices | Acme Dashboard', await page.title())
    check((await rows(page).count()) === 6, await rows(page).count())
  },
  'pages of the list': async (page) => {
    const first = await rows(page).first().textContent()
    await page.getByRole('link', { name: '2', exact: true }).click()
    await page.waitForURL('**/dashboard/invoices?page=2')
    await page.locator('div.z-10:text-is("2")').waitFor()
    await rows(page).first().waitFor()
    check((await rows(page).first().textContent()) !== first, first)
  },
  'the search writes the URL, and shows what it found': async (page) => {
    await search(page, 'amy')
    await page.waitForURL('**/dashboard/invoices?page=1&query=amy')
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll('tbody tr')]
      return all.length > 0 && all.every((row) => row.textContent?.includes('Amy Burns'))
    })
  },
  'a reload keeps the search': async (page) => {
    await page.reload()
    const value = await page.getByPlaceholder('Search invoices...').inputValue()
    check(value === 'amy', value)
  },
  'an empty form is refused, field by field': async (page) => {
    await page.getByRole('link', { name: 'Create Invoice' }).click()
    await page.getByRole('button', { name: 'Create Invoice' }).click()
    await page.getByText('Missing Fields. Failed to Create Invoice.').waitFor()
    await page.getByText('Please select a customer.').waitFor()
    await page.getByText('Please enter an amount greater than $0.').waitFor()
    await page.getByText('Please select an invoice status.').waitFor()
  },
  'a filled one creates an invoice': async (page) => {
    await page.getByLabel('Choose customer').selectOption({ label: 'Lee Robinson' })
    await page.getByLabel('Choose an amount').fill('4321.25')
    await page.getByLabel('Pending').check()
    await page.getByRole('button', { name: 'Create Invoice' }).click()
    await page.waitForURL('**/dashboard/invoices')
    await search(page, '432125')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    await page.getByRole('cell', { name: '$4,321.25' }).waitFor()
  },
  'the form for changes has its values, and refuses others': async (page) => {
    await page.locator('tbody a[href$="/edit"]').click()
    await page.getByRole('button', { name: 'Edit Invoice' }).waitFor()
    const value = await page.getByLabel('Choose an amount').inputValue()
    check(value === '4321.25' && (await page.getByLabel('Pending').isChecked()), value)
    await page.getByLabel('Choose an amount').fill('-1')
    await page.getByRole('button', { name: 'Edit Invoice' }).click()
    await page.getByText('Please enter an amount greater than $0.').waitFor()
  },
  'a change is in the list': async (page) => {
    await page.getByLabel('Choose an amount').fill('4321.75')
    await page.getByLabel('Paid').check()
    await page.getByRole('button', { name: 'Edit Invoice' }).click()
    await page.waitForURL('**/dashboard/invoices')
    await search(page, '432175')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    const cell = page.getByRole('row').filter({ hasText: '$4,321.75' })
    await cell.getByText('Paid').waitFor()
  },
  'an invoice is deleted where it stands': async (page) => {
    await page.locator('tbody').getByRole('button', { name: 'Delete' }).click()
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 0)
    check(new URL(page.url()).search.includes('query=432175'), page.url())
  },
  'an invoice that is not there is a 404, in the layout': async (page) => {
    const response = await page.goto(unknown)
    await page.getByText('Could not find the requested invoice.').waitFor()
    await page.getByRole('button', { name: 'Sign Out' }).waitFor()
    check(response?.status() === 404, response?.status())
  },
  'an error shows the screen of the route': async (page) => {
    await page.goto('/dashboard/invoices/no-id/edit')
    await page.getByText('Something went wrong!').waitFor()
    check(!(await page.content()).includes('Failed to fetch invoice'), 'the message of the server')
  },
  'customers are listed': async (page) => {
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('cell', { name: 'balazs@orban.com' }).waitFor()
    check((await page.title()) === 'Customers | Acme Dashboard', await page.title())
  },
  'signing out leads to the front page': async (page) => {
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.getByText('Welcome to Acme.').waitFor()
    check(new URL(page.url()).pathname === '/', page.url())
  },
  'then the guarded page redirects again': guarded,
}

const database = { folder: path.join(suite.folder, 'postgres'), port: await freePort() }
await whilePostgresRuns(database, async (postgres) => {
  await postgres.query('CREATE EXTENSION "uuid-ossp"')
  const env = {
    POSTGRES_URL: postgres.url,
    AUTH_SECRET: 'only-for-this-suite-and-long-enough',
    AUTH_TRUST_HOST: 'true',
    AUTH_URL: `http://localhost:${port}/api/auth`,
  }
  const all = { ...process.env, ...env }
  const inDevelopment = await whileServed(app, 'dev', { port, env }, (origin) =>
    clickThrough(origin, stepsInDevelopment(postgres)),
  )
  report('next-learn, in development', inDevelopment)
  await must('npx', ['waymark', 'build'], app, all)
  const inProduction = await whileServed(app, 'start', { port, env }, (origin) =>
    clickThrough(origin, steps),
  )
  report('next-learn, in production', inProduction)
})
