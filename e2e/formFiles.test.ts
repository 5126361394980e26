import { describe, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
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

describeModes('files in a validated form', { app: 'actions' }, (served) => {
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
        'me.png has the wrong type. Choose a PNG or a JPEG.',
      ],
      ['that is too large', picture(9_000_000), 'me.png is larger than 2 MB.'],
    ])('a file %s is an error of its field, with a 422', async (_, file, message) => {
      const { page } = await openForm()
      await page.fill('#name', 'Ada')
      await page.setInputFiles('#photo', file)
      await page.setInputFiles('#papers', [paper('a.pdf')])
      expect(await submit(page)).toBe(422)
      await expect.poll(() => page.textContent('#photo-error')).toBe(message)
      expect(await page.textContent('#again')).toBe('Choose me.png and a.pdf again.')
      expect(await page.inputValue('#name')).toBe('Ada')
      expect(await notes(served)).not.toContain('saved Ada: me.png image/png 9000000')
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
