import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const notesOf = async (served: Served, cookie = '') =>
  (await served.fetch('/notes', { headers: { cookie } })).text()

describeApp('invalidation by actions', { app: 'revalidation' }, (served) => {
  test('shows on the page at once, on other pages, and after going back', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/notes/count')
    const before = Number.parseInt((await page.locator('h1').textContent()) ?? '', 10)
    await hydrated(page)
    await page.getByRole('link', { name: 'Notes' }).click()
    await page.getByLabel('Note').fill('mine')
    await hydrated(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => page.locator('#notes:visible').textContent()).toMatch(/mine$/)
    await page.goBack()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe(`${before + 1} notes`)
    // A different visitor must see the change as well.
    expect(await notesOf(served)).toContain('mine')
    expectQuietConsole()
  })

  test('shows on the page to which the action leads', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/notes/count')
    const before = Number.parseInt((await page.locator('h1').textContent()) ?? '', 10)
    await page.goto('/notes')
    await page.getByLabel('Note').fill('leaving')
    await hydrated(page)
    await page.getByRole('button', { name: 'Add and leave' }).click()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe(`${before + 1} notes`)
  })

  test('a cached page: refresh() renders it again only for the caller', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/notes')
    const heading = () => page.locator('h1:visible').textContent()
    const before = await heading()
    await hydrated(page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(heading).not.toBe(before)
    // In development, pages aren't cached, so each document is rendered when it is requested.
    if (served.mode === 'production') expect(await notesOf(served)).toContain(`>${before}<`)
  })

  test('a cached page: revalidatePath() of another page invalidates that page', async () => {
    const plain = async () => /<h1>([^<]*)/.exec(await (await served.fetch('/plain')).text())?.[1]
    const before = await plain()
    const { page } = await openPage(served.app)
    await page.goto('/notes')
    await hydrated(page)
    await page.getByRole('button', { name: 'Touch' }).click()
    await expect.poll(plain).not.toBe(before)
    if (served.mode === 'production') expect(await plain()).toBe(await plain())
  })

  test('shows without a script, too', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/notes')
    await page.getByLabel('Note').fill('plain')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => page.locator('#notes').textContent()).toMatch(/plain$/)
  })

  test('revalidatePath() also invalidates the cached values that the page has read', async () => {
    const body = JSON.stringify({ notes: ['written elsewhere'] })
    await notesOf(served)
    await served.fetch('/api/state', { method: 'POST', body })
    await served.fetch('/api/revalidate?path=/plain', { method: 'POST' })
    if (served.mode === 'production') expect(await notesOf(served)).not.toContain('elsewhere')
    await served.fetch('/api/revalidate?path=/notes', { method: 'POST' })
    expect(await notesOf(served)).toContain('written elsewhere')
  })
})

describeApp('draft mode', { app: 'revalidation' }, (served) => {
  async function draftCookie(): Promise<string> {
    const answer = await served.fetch('/api/draft', { method: 'POST' })
    const line = answer.headers.get('set-cookie') ?? ''
    expect(line).toMatch(/; HttpOnly/)
    expect(line).toMatch(/; SameSite=Lax/i)
    return line.split(';')[0] ?? ''
  }

  test('only a browser with the cookie sees pages that were rendered for it', async () => {
    const cookie = await draftCookie()
    expect(await notesOf(served)).toContain('published')
    for (let time = 0; time < 2; time++) {
      const answer = await served.fetch('/notes', { headers: { cookie } })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('waymark-cache')).toBeNull()
      expect(await answer.text()).toContain('<p id="draft">draft</p>')
      const data = await served.fetch('/_waymark/data/notes.rsc', { headers: { cookie } })
      expect(await data.text()).toContain('"draft"')
    }
    expect(await notesOf(served)).toContain('published')
  })

  test('cached functions run again for it', async () => {
    const cookie = await draftCookie()
    const notes = ['changed without a word']
    await served.fetch('/api/state', { method: 'POST', body: JSON.stringify({ notes }) })
    expect(await notesOf(served, cookie)).toContain(notes[0])
    if (served.mode === 'production') expect(await notesOf(served)).not.toContain(notes[0])
  })

  test('ends, and can’t be forged', async () => {
    const off = await served.fetch('/api/draft?off', { method: 'POST' })
    expect(off.headers.get('set-cookie')).toMatch(/^__waymark_draft=;.*Max-Age=0/i)
    for (const cookie of ['__waymark_draft=1', '__waymark_draft=', 'a=__waymark_draft']) {
      expect(await notesOf(served, cookie)).toContain('published')
    }
  })
})
