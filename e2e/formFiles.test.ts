import { describe, expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function picture(bytes: number, name = 'me.png') {
  const buffer = Buffer.concat([start, Buffer.alloc(bytes - start.byteLength, 7)])
  return { name, mimeType: 'image/png', buffer }
}

const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7 x'),
})

describeApp('files in a validated form', { app: 'actions' }, (served) => {
  describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
    async function openForm() {
      const visit = await openPage(served.app, { javaScriptEnabled })
      await visit.page.goto('/profile')
      if (javaScriptEnabled) await hydratedElement(visit.page.locator('#name'))
      return visit
    }

    test('files arrive with the type of their content, several in one field', async () => {
      const { page } = await openForm()
      await page.fill('#name', 'Ada')
      await page.setInputFiles('#photo', {
        ...picture(1_500_000, 'me.html'),
        mimeType: 'text/html',
      })
      await page.setInputFiles('#papers', [paper('a.pdf'), paper('b.exe')])
      await page.click('#send')
      await expect
        .poll(() => page.textContent('#saved'))
        .toBe('me.png image/png 1500000,a.pdf application/pdf 10,b.pdf application/pdf 10')
    })

    test('an empty field counts as absent, and the typed text stays', async () => {
      const { page } = await openForm()
      await page.fill('#name', 'Ada')
      expect(await submit(page)).toBe(422)
      await expect.poll(() => page.textContent('#photo-error')).toBe('Choose a photo.')
      expect(await page.inputValue('#name')).toBe('Ada')
      expect(await page.textContent('#name-error')).toBe('')
    })

    test.each([
      [
        'of a wrong type',
        { ...picture(100), buffer: Buffer.from('<script>alert(1)</script>') },
        'me.png has the wrong type. Allowed types: PNG and JPEG.',
      ],
      ['that is too large', picture(9_000_000), 'me.png is larger than 2 MB.'],
    ])('a file %s is an error of its field, with a 422', async (_, file, message) => {
      const { page } = await openForm()
      await page.fill('#name', 'Ada')
      await page.setInputFiles('#photo', file)
      await page.setInputFiles('#papers', [paper('a.pdf')])
      expect(await submit(page)).toBe(422)
      await expect.poll(() => page.textContent('#photo-error')).toBe(message)
      // With JavaScript, the form keeps its files.
      const again = javaScriptEnabled ? [] : ['Choose me.png and a.pdf again.']
      expect(await page.locator('#again').allTextContents()).toEqual(again)
      const fileCount = await page.locator('#papers').evaluate((field) => {
        return (field as HTMLInputElement).files?.length
      })
      expect(fileCount).toBe(javaScriptEnabled ? 1 : 0)
      expect(await page.inputValue('#name')).toBe('Ada')
      expect(await notes(served)).not.toContain('saved Ada: me.png image/png 9000000')
    })
  })

  describe('an upload on a slow connection', () => {
    async function openSlowForm(bytesPerSecond: number) {
      const visit = await openPage(served.app)
      const { page } = visit
      await page.goto('/profile')
      await hydratedElement(page.locator('#name'))
      await page.waitForLoadState('networkidle')
      const session = await page.context().newCDPSession(page)
      const throttle = (uploadThroughput: number) =>
        session.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 50,
          downloadThroughput: -1,
          uploadThroughput,
        })
      await session.send('Network.enable')
      await throttle(bytesPerSecond)
      const progress = page.locator('progress')
      const share = () => progress.evaluate((bar) => (bar as HTMLProgressElement).value)
      return { ...visit, page, throttle, share }
    }

    test('shows its progress, and no notice disturbs it', async () => {
      const { page, share, expectQuietConsole } = await openSlowForm(150_000)
      const name = `Slow ${served.mode}`
      await page.fill('#name', name)
      await page.setInputFiles('#photo', picture(1_000_000))
      await page.click('#send')
      await expect.poll(share, { timeout: 10_000 }).toBeGreaterThan(0.1)
      const firstUpload = await share()
      await expect.poll(share, { timeout: 10_000 }).toBeGreaterThan(firstUpload)
      // The default time without a response, after which a notice appears, is 3.8 s.
      await expect.poll(share, { timeout: 15_000 }).toBeGreaterThan(0.8)
      expect(await page.getByText('No reply yet').count()).toBe(0)
      await expect
        .poll(() => page.textContent('#saved'), { timeout: 15_000 })
        .toBe('me.png image/png 1000000')
      expect(await page.locator('progress').count()).toBe(0)
      expect((await notes(served)).split(`saved ${name}`)).toHaveLength(2)
      expectQuietConsole()
    })

    test('is cancelled, keeps its form, and can be sent again', async () => {
      const { page, throttle, share, expectQuietConsole } = await openSlowForm(100_000)
      const name = `Cancelled ${served.mode}`
      await page.fill('#name', name)
      await page.setInputFiles('#photo', picture(1_000_000))
      await page.click('#send')
      await expect.poll(share, { timeout: 10_000 }).toBeGreaterThan(0.1)
      await page.click('#cancel')
      await page.locator('progress').waitFor({ state: 'detached' })
      expect(await notes(served)).not.toContain(name)
      expect(await page.inputValue('#name')).toBe(name)
      const files = page.locator('#photo')
      const chosen = () => files.evaluate((field) => (field as HTMLInputElement).files?.[0]?.name)
      expect(await chosen()).toBe('me.png')
      await throttle(-1)
      await page.click('#send')
      await expect.poll(() => page.textContent('#saved')).toBe('me.png image/png 1000000')
      expect((await notes(served)).split(`saved ${name}`)).toHaveLength(2)
      expectQuietConsole()
    })
  })

  test('a body that can only be too large is refused before it is read', async () => {
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'sec-fetch-site': 'same-origin',
    }
    const body = Buffer.alloc(60_000_000)
    const response = await served.fetch('/profile', { method: 'POST', headers, body })
    expect(response.status).toBe(413)
    // A page whose actions take no files keeps its own limit.
    const small = Buffer.alloc(1_500_000)
    const other = await served.fetch('/signup', { method: 'POST', headers, body: small })
    expect(other.status).toBe(413)
  })
})

async function submit(page: import('playwright-core').Page): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST'),
    page.click('#send'),
  ])
  return response.status()
}

async function notes(served: Served): Promise<string> {
  return (await served.fetch('/notes')).text()
}
