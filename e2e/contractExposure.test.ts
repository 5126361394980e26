import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

type Report = {
  readonly findings: readonly {
    readonly sentence: string
    readonly place: { readonly file: string; readonly line: number | null } | null
  }[]
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
