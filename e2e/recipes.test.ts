import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readCodeBlocks } from '../scripts/guide/codeBlocks.ts'
import { root } from '../scripts/workspace/paths.mjs'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { pathOf } from './harness/visit.ts'

/** Returns the files of one app, collected from the code blocks of several guide pages. */
function filesOfGuide(...pages: readonly string[]): Record<string, string> {
  const texts = pages.map((page) =>
    readFileSync(join(root, `site/app/guide/${page}/page.mdx`), 'utf8'),
  )
  const files = texts.flatMap((text) =>
    readCodeBlocks(text).flatMap(({ file, code }) => (file === null ? [] : [[file, code]])),
  )
  const modules = ['passwords.ts', 'people.ts'].map((file) => [
    file,
    readFileSync(join(root, 'scripts/guide/app', file), 'utf8'),
  ])
  const ours = readFileSync(join(root, 'e2e/package.json'), 'utf8')
  // List the packages in the app's manifest, because the framework reads there which of them need
  // React.
  const manifest = { type: 'module', dependencies: JSON.parse(ours).devDependencies }
  return {
    ...Object.fromEntries(files),
    ...Object.fromEntries(modules),
    'package.json': JSON.stringify(manifest),
  }
}

const signUpPage = `import { SignUp } from './form'

export default function Page() {
  return <SignUp />
}
`
const signUpFiles = Object.entries(filesOfGuide('actions')).filter(([file]) =>
  file.startsWith('app/signup/'),
)
const recipes = filesOfGuide(
  'authentication',
  'uploads',
  'sessions',
  'search-parameters',
  'live-data',
  'other-packages',
)
const files = {
  ...recipes,
  ...Object.fromEntries(signUpFiles),
  'app/signup/page.tsx': signUpPage,
}
const store = 'https://store.example'
const env = {
  UPLOADS: 'uploaded',
  BUCKET: 's3://bucket/uploads',
  AWS_ENDPOINT_URL_S3: store,
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'key',
  BETTER_AUTH_SECRET: 'a secret of better-auth that is long enough',
  PROVIDER: 'https://provider.example',
}

const pngOf = (bytes: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(bytes)])

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function visit(served: Served, path: string): Promise<Page> {
  const { page } = await openPage(served.app)
  await open(page, path)
  return page
}

async function visitForm(served: Served, path: string, javaScriptEnabled: boolean): Promise<Page> {
  if (javaScriptEnabled) return visit(served, path)
  const { page } = await openPage(served.app, { javaScriptEnabled })
  await page.goto(path)
  return page
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // Wait for a control, because React hydrates the body before the code of the page's component has
  // loaded.
  await hydratedElement(page.locator('button, input:not([type=hidden]), select').first())
  await hydrated(page)
}

describeApp('a recipe of the guide', { app: 'recipes', files, env }, (served) => {
  const fileOf = (bytes: number, mimeType = 'image/png') => {
    return { name: 'oak.png', mimeType, buffer: randomBytes(bytes) }
  }

  test('uploads: a file arrives completely, and can be downloaded', async () => {
    const page = await visit(served, '/upload')
    const file = fileOf(3_000_000)
    await page.getByLabel('A picture or a PDF').setInputFiles(file)
    const href = await page.getByRole('link', { name: 'Stored' }).getAttribute('href')
    const response = await served.fetch(href ?? '')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(Buffer.from(await response.arrayBuffer()).equals(file.buffer)).toBe(true)
  })

  test.each([true, false])(
    'uploads: a form checks its files and keeps the text; JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await visitForm(served, '/profile', javaScriptEnabled)
      const photo = { name: 'oak.html', mimeType: 'text/html', buffer: pngOf(3_000_000) }
      const paper = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('Photo').setInputFiles(fileOf(100))
      await button(page, 'Save profile').click()
      await page.getByText('oak.png has the wrong type. Allowed types: JPEG and PNG.').waitFor()
      const again = page.getByText('Choose oak.png again.')
      await expect.poll(() => again.count()).toBe(javaScriptEnabled ? 0 : 1)
      expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
      await page.getByLabel('Photo').setInputFiles(photo)
      await page.getByLabel('Papers').setInputFiles([paper, { ...paper, name: 'b.pdf' }])
      await button(page, 'Save profile').click()
      const stored = 'oak.png (image/png), a.pdf (application/pdf), b.pdf (application/pdf)'
      await page.getByText(`Stored for Ada: ${stored}`).waitFor()
    },
  )

  test('uploads: limits are shown before anything is sent, and apply on the server', async () => {
    const page = await visit(served, '/upload')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.method()))
    await page.getByLabel('A picture or a PDF').setInputFiles(fileOf(10, 'text/html'))
    await page.getByRole('alert').filter({ hasText: 'Choose a JPEG' }).waitFor()
    // Create the file in the page, so that Playwright needn't transfer its bytes.
    await page.getByLabel('A picture or a PDF').evaluate((input: HTMLInputElement) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(21_000_000)], 'oak.png', { type: 'image/png' }))
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.getByRole('alert').filter({ hasText: 'larger than 20 MB' }).waitFor()
    expect(requests).not.toContain('PUT')

    // Send the body without a length, as a client that wants to bypass the limit would.
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
    })
    const refused = await served.fetch('/api/uploads', {
      method: 'PUT',
      body: chunks,
      headers: { 'content-type': 'image/png' },
      duplex: 'half',
    } as RequestInit)
    expect(refused.status).toBe(422)
    const ofNoType = { method: 'PUT', body: 'x', headers: { 'content-type': 'constructor' } }
    expect((await served.fetch('/api/uploads', ofNoType)).status).toBe(422)
    const stored = readdirSync(join(served.app.root, env.UPLOADS))
    expect(stored.filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('uploads: a bucket gets the file from the browser, with the signed type and size', async () => {
    const page = await visit(served, '/upload')
    const sent: { url: URL; type: string | undefined; bytes: number }[] = []
    await page.route(`${store}/**`, async (route) => {
      const request = route.request()
      const bytes = request.postDataBuffer()?.length ?? 0
      sent.push({ url: new URL(request.url()), type: request.headers()['content-type'], bytes })
      await route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: 'null' })
    })
    await page.getByLabel('To the bucket').setInputFiles(fileOf(4_321))
    await page.getByText(/^Stored as [\w-]+\.png$/).waitFor()
    const [put] = sent
    expect(put).toMatchObject({ type: 'image/png', bytes: 4_321 })
    expect(put?.url.pathname).toMatch(/^\/bucket\/uploads\/[\w-]+\.png$/)
    expect(put?.url.searchParams.get('X-Amz-SignedHeaders')).toBe(
      'content-length;content-type;host',
    )
  })

  async function enter(page: Page, name: string, password = 'a long one'): Promise<void> {
    await open(page, '/enter')
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
  }

  test.each([true, false])(
    'actions: the form shows messages, keeps its text and accepts a person (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const page = await visitForm(served, '/signup', javaScriptEnabled)
      const send = async (name: string, age: string) => {
        await page.getByLabel('Name').fill(name)
        await page.getByLabel('Age').fill(age)
        await button(page, 'Sign up').click()
      }
      await send('Ada', '')
      await page.getByText('Enter your age.').waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
      await send('Grace', '36')
      await page.getByText('This name is taken.').waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('Grace')
      expect(await page.getByLabel('Age').inputValue()).toBe('36')
      const name = `Ada ${served.mode} ${javaScriptEnabled}`
      await send(name, '36')
      await page.getByText(`Welcome, ${name}`).waitFor()
    },
  )

  test.each([true, false])(
    'authentication: a wrong password or a taken address stays in its form (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const page = await visitForm(served, '/sign-in', javaScriptEnabled)
      const address = `${served.mode}-${javaScriptEnabled}@example.com`
      const enter = async (name: string, password: string) => {
        const form = page.locator('form', { has: button(page, name) })
        await form.getByLabel('E-mail').fill(address)
        await form.getByLabel('Password').fill(password)
        await button(page, name).click()
        return form
      }
      const signIn = await enter('Sign in', 'a wrong password')
      await signIn.getByText('Wrong e-mail or password.').waitFor()
      expect(await signIn.getByLabel('E-mail').inputValue()).toBe(address)
      await enter('Create an account', 'long enough')
      await button(page, 'Sign out').click()
      await page.waitForURL((url) => url.pathname === '/')
      await page.goto('/sign-in')
      if (javaScriptEnabled) await hydrated(page)
      const create = await enter('Create an account', 'long enough')
      await create.getByText('This address already has an account.').waitFor()
      expect(await create.getByLabel('E-mail').inputValue()).toBe(address)
    },
  )

  test('authentication: better-auth signs people up and out, beside our sessions', async () => {
    const { origin } = served.app
    const post = (path: string, body: object, cookie = '') =>
      served.fetch(`/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie },
        body: JSON.stringify(body),
      })
    const statusWith = async (cookie: string) =>
      (await served.fetch('/better', { headers: { cookie } })).status
    expect(await statusWith('')).toBe(401)
    const email = `ada-${randomBytes(4).toString('hex')}@example.com`
    const signedUp = await post('sign-up/email', { email, password: 'a long one', name: 'Ada' })
    expect(signedUp.status).toBe(200)
    const cookie = signedUp.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect(await statusWith(cookie)).toBe(200)
    expect((await post('sign-out', {}, cookie)).status).toBe(200)
    expect(await statusWith(cookie)).toBe(401)
  })

  test('authentication: a provider gets a state, and nobody can forge its answer', async () => {
    const started = await served.fetch('/oauth/start')
    const target = new URL(started.headers.get('location') ?? '')
    expect(target.origin).toBe(env.PROVIDER)
    expect(target.searchParams.get('code_challenge_method')).toBe('S256')
    const state = target.searchParams.get('state') ?? ''
    const forged = await served.fetch(`/oauth/callback?code=of-eve&state=${state}`)
    expect(forged.status).toBe(400)
  })

  test('sessions: a person sees all devices, and ends the session of another one', async () => {
    const one = await visit(served, '/enter')
    const other = await visit(served, '/enter')
    const name = `ada ${randomBytes(4).toString('hex')}`
    for (const page of [one, other]) {
      await enter(page, name)
      await page.getByRole('heading', { name: 'Devices' }).waitFor()
    }
    await one.reload()
    await hydrated(one)
    expect(await one.getByRole('listitem').count()).toBe(2)
    await button(one, 'End all others').click()
    await expect.poll(() => one.getByRole('listitem').count()).toBe(1)
    await other.reload()
    await expect.poll(() => pathOf(other)).toBe('/enter')
    await button(one, 'Sign out').click()
    await expect.poll(() => pathOf(one)).toBe('/enter')
    await one.goto('/devices')
    expect(pathOf(one)).toBe('/enter')
  })

  test('sessions: after five wrong passwords, the right one has to wait', async () => {
    const page = await visit(served, '/enter')
    for (let tries = 0; tries < 5; tries++) {
      await enter(page, 'eve', 'wrong')
      await page.getByText('Wrong name or password').waitFor()
    }
    await enter(page, 'eve')
    await page.getByText('Too many attempts').waitFor()
    await enter(page, 'bob')
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
  })

  test('search parameters: one changes, the others stay, and empty fields are left out', async () => {
    const page = await visit(served, '/products?topic=oak&sort=price&tag=a&tag=b')
    await page.getByRole('link', { name: 'Next page' }).click()
    const all = '/products?topic=oak&sort=price&tag=a&tag=b&page=2'
    await expect.poll(() => pathOf(page)).toBe(all)
    await page.getByLabel('Sort by').selectOption('')
    await expect.poll(() => pathOf(page)).toBe('/products?topic=oak&tag=a&tag=b')
    await page.getByLabel('Topic').fill('elm')
    await button(page, 'Filter').click()
    await expect.poll(() => pathOf(page)).toBe('/products?topic=elm')
    expect(await page.getByLabel('Maker').isEnabled()).toBe(true)
  })

  test('search parameters: a field searches while somebody types, without a history entry', async () => {
    const page = await visit(served, '/products?topic=oak&page=2')
    const entries = await page.evaluate(() => history.length)
    await page.getByLabel('Search').pressSequentially('plank', { delay: 20 })
    await expect.poll(() => page.locator('#query').textContent()).toContain('"text":"plank"')
    expect(pathOf(page)).toBe('/products?topic=oak&text=plank')
    const name = () => document.activeElement?.getAttribute('name')
    expect(await page.evaluate(name)).toBe('text')
    expect(await page.getByLabel('Search').inputValue()).toBe('plank')
    expect(await page.evaluate(() => history.length)).toBe(entries)
  })

  test('live data: an entry of one user appears for another, who continues to type', async () => {
    const one = await visit(served, '/board')
    const other = await visit(served, '/board')
    await other.getByLabel('Card').fill('half a wo')
    await one.getByLabel('Card').fill(`card of ${served.mode}`)
    await button(one, 'Add').click()
    await other.getByText(`card of ${served.mode}`).waitFor()
    expect(await other.getByLabel('Card').inputValue()).toBe('half a wo')
  })

  test('React Hook Form: the errors of the action appear at the fields', async () => {
    const page = await visit(served, '/contact')
    await page.getByLabel('E-mail').fill('nowhere')
    await page.getByLabel('Text').fill('short')
    await button(page, 'Send').click()
    await page.getByText('Enter an e-mail address.').waitFor()
    await page.getByText('Write at least 10 characters.').waitFor()
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Text').fill('This is long enough.')
    await button(page, 'Send').click()
    await page.getByText('Thank you.').waitFor()
  })

  test('Radix: a dialog opens with content that the server rendered', async () => {
    const page = await visit(served, '/about')
    await button(page, 'Imprint').click()
    await page.getByRole('dialog').getByText('Rendered on the server.').waitFor()
    await button(page, 'Close').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test.each(['/queries', '/swr'])(
    '%s: data of the server is shown, and a call changes it',
    async (path) => {
      const html = await (await served.fetch(path)).text()
      const [, likes] = /<p id="likes">(\d+)/.exec(html) ?? []
      expect(Number(likes)).toBeGreaterThan(0)
      const page = await visit(served, path)
      await button(page, 'Like').click()
      await expect.poll(() => page.textContent('#likes')).toBe(`${Number(likes) + 1} likes`)
    },
  )
})
