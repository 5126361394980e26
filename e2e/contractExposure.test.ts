import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

type Report = {
  readonly findings: readonly {
    readonly sentence: string
    readonly place: { readonly file: string; readonly line: number | null } | null
  }[]
}

type Fields = {
  readonly fields: {
    readonly unread: readonly {
      readonly component: string
      readonly path: string
      readonly bytes: number
      readonly entries: readonly string[]
      readonly place: { readonly file: string; readonly line: number } | null
    }[]
    readonly unobserved: readonly string[]
  }
}

describe('the contract', () => {
  let root = ''
  let problems: readonly string[] = []
  beforeAll(async () => {
    root = await buildApp({ app: 'contract-exposure' })
    const { output } = await runWaymark(['contract', '--json'], root)
    const { findings } = JSON.parse(output.slice(output.indexOf('{\n'))) as Report
    problems = findings.map(({ sentence, place }) => {
      return `${sentence} ${place?.file ?? '-'}:${place?.line ?? '-'}`
    })
  }, 120_000)

  test('names the fields that no component has read in a browser', {
    timeout: 120_000,
  }, async () => {
    const { output } = await runWaymark(['contract', '--fields', '--json'], root)
    const { fields } = JSON.parse(output.slice(output.indexOf('{\n'))) as Fields
    const unread = fields.unread.map(({ component, path, entries, place }) => {
      return `${component}: ${path}, ${entries}, ${place?.file}:${place?.line}`
    })
    expect(unread.sort()).toEqual([
      'LoginForm: config.providers[].clientId, page /login, app/login/page.tsx:8',
      'LoginForm: config.providers[].clientSecret, page /login, app/login/page.tsx:8',
      'LoginForm: config.secret, page /login, app/login/page.tsx:8',
      // The component reads the id only after a click.
      'UserCard: user.id, page /users, app/users/page.tsx:11',
      'UserCard: user.passwordHash, page /users, app/users/page.tsx:11',
      'UserCard: user.role, page /users, app/users/page.tsx:11',
    ])
    expect(fields.unread.every(({ bytes }) => bytes > 0)).toBe(true)
    expect(fields.unobserved).toEqual([])
  })

  test('lists the fields of client components', () => {
    const text = readFileSync(join(root, 'contract.txt'), 'utf8')
    expect(text).toContain(`component LoginForm
  fields: config.providers[].clientId, config.providers[].clientSecret, config.providers[].name, config.secret, config.siteName
`)
    expect(text).toContain(`component UserCard
  fields: created, tags[].label, user.id, user.name, user.passwordHash, user.role.title
`)
    expect(text).toContain('component UserName\n  fields: name\n')
  })

  test('names the sensitive fields and values that leave the server', () => {
    expect(problems).toEqual([
      'The action findUser returns `passwordHash` to *member*, in its content. app/users/actions.ts:-',
      'The action findUser returns the sensitive value "has…" to *member*, in its content. app/users/actions.ts:-',
      "The app's log contains `passwordHash`. -:-",
      'The app\'s log contains the sensitive value "has…". -:-',
      'The handler /api/token sends the sensitive value "See…" as base64 to everyone, in its content and in a header. app/api/token/route.ts:-',
      'The handler /api/users sends `passwordHash` to everyone, in its content. app/api/users/route.ts:-',
      'The handler /api/users sends the sensitive value "has…" to everyone, in its content. app/api/users/route.ts:-',
      'The page /login sends `clientSecret` to everyone, in props of LoginForm. app/login/page.tsx:8',
      'The page /login sends `secret` to everyone, in props of LoginForm. app/login/page.tsx:8',
      'The page /news sends the sensitive value "See…" to everyone, in its content. app/news/page.tsx:-',
      'The page /users sends `passwordHash` to *member*, in props of UserCard. app/users/page.tsx:11',
      'The page /users sends the sensitive value "has…" to *member*, in props of UserCard. app/users/page.tsx:11',
    ])
  })
})

describe('a build', () => {
  test('has the same bytes with contract() as without', { timeout: 120_000 }, async () => {
    const app = 'contract-exposure'
    const withPlugin = readBuild(await buildApp({ app }))
    const config =
      "import { waymark } from 'waymark/vite'\n\nexport default { plugins: [waymark()] }\n"
    const without = readBuild(await buildApp({ app, files: { 'vite.config.ts': config } }))
    expect([...withPlugin.keys()]).toEqual([...without.keys()])
    expect([...withPlugin].filter(([file, bytes]) => without.get(file) !== bytes)).toEqual([])
    expect(withPlugin.size).toBeGreaterThan(10)
  })
})

/** Reads the code of a build, by path. Leaves out the random secret that each build has. */
function readBuild(root: string): Map<string, string> {
  const folders = ['client', 'rsc', 'ssr', 'server.js']
  const build = join(root, '.waymark')
  const files = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => folders.includes(relative(build, file).split('/')[0] ?? ''))
    .sort()
  const read = (file: string) => {
    return readFileSync(file, 'latin1').replace(/"secret":"[\w-]{43}"/, '')
  }
  return new Map(files.map((file) => [relative(build, file), read(file)]))
}
