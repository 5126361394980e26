import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assertNoLeaks, findValue, listServerValues } from './leaks.ts'

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-leaks-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('a value that must not reach browsers', () => {
  const list = (env: Record<string, string>, publicNames: string[] = []) =>
    listServerValues({
      env,
      envDir: folderOf({ '.env': 'SITE_NAME="The trail book"\nPORT_NAME=x\n' }),
      mode: 'production',
      publicPrefixes: ['PUBLIC_', 'VITE_'],
      publicNames,
    }).map(({ name, isSecret }) => [name, isSecret])

  test.each([
    'APP_SECRET',
    'STRIPE_API_KEY',
    'DATABASE_URL',
    'GITHUB_TOKEN',
    'DB_PASSWORD',
    'SESSION_SECRET2',
    'API_KEY1',
    'stripeKey',
    'tokenOfGitHub',
    'authTOKENText',
    'databaseUrl',
  ])('is %s, from any source', (name) =>
    expect(list({ [name]: 'hunter2hunter2' })).toEqual([[name, true]]),
  )

  test.each(['KEYBOARD', 'MONKEY', 'hotkeyMode', 'Tokenizer'])('is not %s', (name) =>
    expect(list({ [name]: 'hunter2hunter2' })).toEqual([]),
  )

  test('is any value from .env files', () => {
    expect(
      list({ SITE_NAME: 'The trail book', PATH: '/usr/local/bin', LANG: 'en_GB.UTF-8' }),
    ).toEqual([['SITE_NAME', false]])
  })

  test("isn't public, short, or also the value of a public variable", () => {
    expect(list({ PUBLIC_API_KEY: '12345678', A_SECRET: 'short', NODE_ENV: 'production' })).toEqual(
      [],
    )
    expect(list({ A_TOKEN: '12345678', PUBLIC_A: '12345678' })).toEqual([])
    expect(list({ A_TOKEN: '12345678' }, ['A_TOKEN'])).toEqual([])
  })
})

describe('the output', () => {
  const secret = { name: 'A_SECRET', value: 'hunter2"<&', isSecret: true }
  const plain = { name: 'SITE_NAME', value: 'The trail book', isSecret: false }

  test.each([
    'x="hunter2"<&"',
    JSON.stringify('hunter2"<&'),
    '"hunter2\\"\\u003c&"',
    'hunter2&quot;&lt;&amp;',
    `?a=${encodeURIComponent('hunter2"<&')}`,
  ])('is found to contain a value as %s', (text) => expect(findValue(text, [secret])).toBe(secret))

  test('fails with the names of file and variable, but not with the value', async () => {
    const folder = folderOf({ 'a.js': 'let a=1', 'b.js': 'let b="The trail book"' })
    const failing = assertNoLeaks([{ folder, holdsPages: false }], [secret, plain])
    await expect(failing).rejects.toThrow(/SITE_NAME.*b\.js.*SECRET_IN_CLIENT/s)
    await expect(failing).rejects.not.toThrow('The trail book')
  })

  test("may contain values in a page that aren't secret", async () => {
    const folder = folderOf({ 'a.html': '<h1>The trail book</h1>' })
    await assertNoLeaks([{ folder, holdsPages: true }], [secret, plain])
    const leaking = folderOf({ 'a.rsc': '0:"hunter2\\"<&"' })
    await expect(assertNoLeaks([{ folder: leaking, holdsPages: true }], [secret])).rejects.toThrow(
      'A_SECRET',
    )
  })
})
