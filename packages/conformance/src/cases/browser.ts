import assert from 'node:assert/strict'
import type { CaseGroup } from './case.ts'

export const browser: CaseGroup = {
  title: 'In a browser',
  cases: [
    {
      name: 'a page becomes interactive',
      inBrowser: true,
      async run({ open }) {
        const page = await open('/')
        const button = page.getByRole('button', { name: /^clicks \d/ })
        await button.click()
        await page.getByRole('button', { name: /^clicks [1-9]/ }).waitFor()
      },
    },
    {
      name: 'a link leads to another page without a new document',
      inBrowser: true,
      async run({ open }) {
        const page = await open('/')
        await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
        await page.getByRole('link', { name: 'about' }).click()
        await page.getByRole('heading', { name: 'About' }).waitFor()
        const isSame = await page.evaluate(() => 'isSameDocument' in window)
        assert.ok(isSame, 'The link loaded a new document.')
      },
    },
    {
      name: 'a click calls an action',
      needs: ['requests'],
      inBrowser: true,
      async run({ open }) {
        const page = await open('/')
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByRole('button', { name: 'clicks 10' }).waitFor()
      },
    },
    {
      name: 'a submitted form shows the page after its action',
      needs: ['requests'],
      inBrowser: true,
      async run({ open }) {
        const page = await open('/form')
        await page.getByLabel('Note').fill('from a browser')
        await page.getByRole('button', { name: 'Remember' }).click()
        await page.getByText('note from a browser').waitFor()
      },
    },
  ],
}
