import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const env = { AUTH_SECRET: 'a secret of thirty-two characters' }

describeModes('packages of App Router apps', { app: 'nextPackages', env }, (served) => {
  test('next-auth: signs in and out, and guards a page', async () => {
    const away = await served.fetch('/members')
    expect([away.status, away.headers.get('location')]).toEqual([307, served.url('/login')])
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/members')
    await hydrated(page)
    const send = async (password: string) => {
      await page.getByLabel('Name').fill('ada')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await send('wrong')
    await page.getByText('Refused: CredentialsSignin').waitFor()
    expect(await sessionOf(page)).toBe(undefined)
    await send('right horse')
    await page.getByRole('heading', { name: 'Members: ada' }).waitFor()
    expect(await sessionOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await sessionOf(page)).toBe(undefined)
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('Members: ada').count()).toBe(0)
    expectQuietConsole()
  })
})

async function sessionOf(page: import('playwright-core').Page) {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'authjs.session-token')
}
