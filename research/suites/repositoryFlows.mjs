import { check } from './clickThrough.mjs'

/** @typedef {import('./clickThrough.mjs').Step} Step */

/** @param {import('playwright-core').Page} page @param {string} name */
const clickLink = (page, name) => page.getByRole('link', { name, exact: true }).first().click()
/** @param {import('playwright-core').Page} page @param {string} name */
const clickButton = (page, name) => page.getByRole('button', { name, exact: true }).click()

/** @param {import('playwright-core').Page} page @param {string} password */
async function signInToMaterialKit(page, password) {
  await page.locator('input[name=email]').fill('sofia@devias.io')
  await page.locator('input[name=password]').fill(password)
  await clickButton(page, 'Sign in')
}

/**
 * The first steps in apps whose pages require a sign-in.
 * @type {Record<string, Step>}
 */
export const begins = {
  'material-kit-react': async (page) => {
    await page.goto('/auth/sign-in')
    await signInToMaterialKit(page, 'Secret1')
    await page.waitForURL('**/dashboard')
  },
}

/**
 * The actions of a user, by the name of a repository.
 * @type {Record<string, Record<string, Step>>}
 */
export const flows = {
  'next-app-dir-i18next-example': {
    'the browser’s language is that of the front page': async (page) => {
      await page.goto('/')
      check(new URL(page.url()).pathname === '/en', page.url())
      await page.getByRole('heading', { name: 'A simple example' }).waitFor()
    },
    'another language has its texts, on the server and in the browser': async (page) => {
      await clickLink(page, 'de')
      await page.getByRole('heading', { name: 'Ein einfaches Beispiel' }).waitFor()
      const lang = await page.evaluate(() => document.documentElement.lang)
      check(lang === 'de', lang)
      await clickButton(page, 'Zur client seitigen Seite')
      await page.getByText('keines ausgewählt').waitFor()
      await clickButton(page, '+')
      await page.getByText('eines ausgewählt').waitFor()
    },
    'the language is remembered': async (page) => {
      await page.goto('/')
      check(new URL(page.url()).pathname === '/de', page.url())
    },
  },
  'material-kit-react': {
    'a guarded page leads to the form, which refuses a wrong password': async (page) => {
      await page.goto('/dashboard/customers')
      await page.waitForURL('**/auth/sign-in')
      await signInToMaterialKit(page, 'wrong')
      await page.getByText('Invalid credentials').waitFor()
    },
    'signing in leads to the dashboard with its charts': async (page) => {
      await signInToMaterialKit(page, 'Secret1')
      await page.waitForURL('**/dashboard')
      await page.locator('.apexcharts-canvas').first().waitFor()
    },
    'all customers of a page are selected': async (page) => {
      await clickLink(page, 'Customers')
      await page.waitForURL('**/dashboard/customers')
      await page.getByRole('checkbox').first().click()
      const selected = await page.locator('tbody tr.Mui-selected').count()
      check(selected === 5, selected)
    },
    'signing out leads to the form': async (page) => {
      await page.locator('header .MuiAvatar-root').last().click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/auth/sign-in')
    },
  },
  'next-shadcn-admin-dashboard': {
    'a form says what is wrong, and what was sent': async (page) => {
      await page.goto('/auth/v1/login')
      await clickButton(page, 'Login')
      await page.getByText('Please enter a valid email address.').waitFor()
      await page.getByLabel('Email Address').fill('ada@localhost.test')
      await page.getByLabel('Password').fill('secret-1')
      await clickButton(page, 'Login')
      await page.getByText('You submitted the following values').waitFor()
    },
    'the dialog finds a page, and leads there': async (page) => {
      await page.goto('/dashboard/default', { waitUntil: 'networkidle' })
      await page.keyboard.press('Control+j')
      await page.getByPlaceholder('Search').last().fill('Kanban')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/dashboard/kanban')
    },
    'the theme that was chosen is there after a reload': async (page) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.themeMode)
      const before = await theme()
      await page.getByRole('button', { name: 'Current theme' }).click()
      const after = await theme()
      check(before !== after, after)
      await page.reload()
      check((await theme()) === after, await theme())
    },
  },
  tablecn: {
    'tasks are found by their titles, which the URL has': async (page) => {
      await page.goto('/')
      const titles = page.locator('tbody tr td:nth-child(3) span.truncate')
      await titles.first().waitFor()
      check((await titles.count()) === 10, await titles.count())
      const title = (await titles.first().textContent()) ?? ''
      await page.getByPlaceholder('Search titles...').fill(title)
      await page.waitForURL('**/?title=*')
      await page.waitForFunction((wanted) => {
        const all = [...document.querySelectorAll('tbody td:nth-child(3) span.truncate')]
        return all.length > 0 && all.every((each) => each.textContent === wanted)
      }, title)
    },
    'a task gets another title': async (page) => {
      await page.goto('/', { waitUntil: 'networkidle' })
      await page.locator('tbody tr').first().getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByLabel('Title').fill('Learn to skate')
      await clickButton(page, 'Save')
      await page.getByText('Task updated').waitFor()
      await page.locator('tbody tr').first().getByText('Learn to skate').waitFor()
    },
    'it is deleted': async (page) => {
      await page.locator('tbody tr').first().getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete selected rows' }).click()
      await page.getByText('Tasks deleted').waitFor()
      await page.getByText('Learn to skate').waitFor({ state: 'detached' })
    },
  },
  commerce: {
    'a search finds a product': async (page) => {
      await page.goto('/', { waitUntil: 'networkidle' })
      await page.getByPlaceholder('Search for products...').first().fill('Shirt')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search?q=Shirt')
      await page.getByText('Showing 1 result for').waitFor()
    },
    'a variant is chosen, and put into the cart': async (page) => {
      await page.locator('a[href="/product/shirt"]').first().click()
      await page.waitForURL('**/product/shirt*')
      await clickButton(page, 'M')
      await page.waitForURL('**/product/shirt?size=M')
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('dialog').getByText('My Cart').waitFor()
      await page.getByRole('dialog').getByText('Shirt').waitFor()
    },
    'its quantity changes the total': async (page) => {
      await page.getByRole('button', { name: 'Increase item quantity' }).click()
      await page.getByRole('dialog').getByText('$50.00').first().waitFor()
    },
    'the cart is there after a reload': async (page) => {
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'Open cart' }).click()
      await page.getByRole('dialog').getByText('$50.00').first().waitFor()
    },
  },
  'tailwind-nextjs-starter-blog': {
    'the search finds a post, and leads there': async (page) => {
      await page.goto('/', { waitUntil: 'networkidle' })
      await clickButton(page, 'Search')
      await page.getByRole('combobox').fill('Canada')
      await page.getByText('O Canada').last().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/blog/pictures-of-canada')
    },
    'a tag lists its posts, and one of them has its formulas': async (page) => {
      await clickLink(page, 'Tags')
      await page.waitForURL('**/tags')
      await clickLink(page, 'math')
      await page.waitForURL('**/tags/math')
      await page.locator('article h2 a').first().click()
      await page.waitForURL('**/blog/deriving-ols-estimator')
      await page.locator('.katex').first().waitFor()
    },
    'the theme that was chosen is there after a reload': async (page) => {
      await clickButton(page, 'Theme switcher')
      await page.getByRole('menuitem', { name: 'Dark' }).click()
      await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
      await page.reload()
      const classes = await page.evaluate(() => document.documentElement.className)
      check(/\bdark\b/.test(classes), classes)
    },
  },
}
