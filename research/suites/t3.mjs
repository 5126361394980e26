// Usage: node research/suites/t3.mjs [--into <folder>]
// The template of create-t3-app: tRPC, next-auth, Drizzle on SQLite, Tailwind.
import path from 'node:path'
import { must } from '../../scripts/workspace/run.mjs'
import { check, clickThrough, freePort, whileServed } from './clickThrough.mjs'
import { layOut, moveApp, report } from './suite.mjs'

const suite = await layOut({ name: 't3' })
const app = path.join(suite.folder, 'app')
const parts = ['--trpc', '--tailwind', '--nextAuth', '--drizzle', '--dbProvider', 'sqlite']
const template = ['--yes', 'create-t3-app@7.40.0', 'app', '--CI', '--appRouter', ...parts]
await must('npx', [...template, '--noGit', '--noInstall'], suite.folder)
await moveApp(suite, app)

const port = await freePort()
const env = {
  AUTH_DISCORD_ID: 'suite',
  AUTH_DISCORD_SECRET: 'suite',
  AUTH_TRUST_HOST: 'true',
  DATABASE_URL: 'file:./db.sqlite',
}
const all = { ...process.env, ...env }
await must('npx', ['drizzle-kit', 'push', '--force'], app, all)
// Discord can't be reached, so its user has already signed in.
const cookie = { name: 'authjs.session-token', value: 'suite' }
const rows = `
  import { createClient } from '@libsql/client'
  const client = createClient({ url: '${env.DATABASE_URL}' })
  await client.executeMultiple(\`
    INSERT INTO app_user (id, name, email) VALUES ('1', 'Ada', 'ada@localhost');
    INSERT INTO app_session ("sessionToken", "userId", expires) VALUES ('suite', '1', unixepoch() + 86400);
  \`)`
await must('node', ['--input-type=module', '--eval', rows], app)
await must('npx', ['waymark', 'build'], app, all)

/** @type {Record<string, import('./clickThrough.mjs').Step>} */
const asGuest = {
  'the page has what tRPC says on the server': async (page) => {
    const response = await page.goto('/')
    check((await response?.text())?.includes('Hello from tRPC') === true, response?.status())
    await page.getByText('Hello from tRPC').waitFor()
    check((await page.title()) === 'Create T3 App', await page.title())
  },
  'Tailwind and the font are there': async (page) => {
    const style = await page.evaluate(async () => {
      await document.fonts.ready
      const { display } = getComputedStyle(document.querySelector('main') ?? document.body)
      return [display, [...document.fonts].some(({ family }) => family.includes('Geist'))]
    })
    check(style[0] === 'flex' && style[1] === true, style)
  },
  'guests can write no post': async (page) => {
    check((await page.getByPlaceholder('Title').count()) === 0, 'a form')
    const data = { 0: { json: { name: 'By a guest' } } }
    const response = await page.request.post('/api/trpc/post.create?batch=1', { data })
    check(response.status() === 401, response.status())
  },
  'the sign-in page of next-auth': async (page) => {
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign in with Discord' }).waitFor()
  },
}

/** @type {Record<string, import('./clickThrough.mjs').Step>} */
const asUser = {
  'the session is that of the database': async (page) => {
    await page.goto('/')
    await page.getByText('Logged in as Ada').waitFor()
    await page.getByText('You have no posts yet.').waitFor()
  },
  'a post is created by tRPC, and shown': async (page) => {
    await page.getByPlaceholder('Title').fill('First')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Your most recent post: First').waitFor()
    check((await page.getByPlaceholder('Title').inputValue()) === '', 'the text again')
  },
  'it is there after a reload, in the HTML': async (page) => {
    const response = await page.reload()
    await page.getByText('Your most recent post: First').waitFor()
    const html = (await response?.text())?.replaceAll('<!-- -->', '')
    check(html?.includes('Your most recent post: First') === true, 'HTML without it')
  },
  'an input that the schema refuses is refused': async (page) => {
    const data = { 0: { json: { name: '' } } }
    const response = await page.request.post('/api/trpc/post.create?batch=1', { data })
    check(response.status() === 400, response.status())
  },
  'signing out ends the session': async (page) => {
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    check((await page.getByPlaceholder('Title').count()) === 0, 'a form')
  },
}

await whileServed(app, 'start', { port, env }, async (origin) => {
  const guest = await clickThrough(origin, asGuest)
  const user = await clickThrough(origin, asUser, [cookie])
  report('t3', {
    passed: guest.passed + user.passed,
    failures: [...guest.failures, ...user.failures],
  })
})
