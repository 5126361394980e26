import { expect, test } from '@playwright/test'
import { withFault } from '@waymark/testing'

// Tests the app in a browser, including broken connections.
test('the counter counts', async ({ page }) => {
  await page.goto('/en')
  // Click until it works, because a click before hydration may get lost.
  await expect(async () => {
    await page.getByRole('button', { name: 'Count 0' }).click({ timeout: 1_000 })
    await expect(page.getByRole('button', { name: 'Count 1' })).toBeVisible({ timeout: 100 })
  }).toPass()
})

test('the language switch leads to the same page', async ({ page }) => {
  await page.goto('/en')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page).toHaveURL('/de')
  await expect(page.getByRole('heading', { name: 'Ihre App läuft' })).toBeVisible()
})

test('the start page loads without its scripts', async ({ page }) => {
  const fault = await withFault(page, 'scripts', '404')
  await page.goto('/en')
  await expect(page.getByRole('heading', { name: 'Your app is running' })).toBeVisible()
  await expect.poll(() => fault.hits).toBeGreaterThan(0)
})
