import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

describe('a hashed password', () => {
  test('matches in every Unicode form of the password', async () => {
    const hash = await hashPassword('caf\u00e9 at noon')
    expect(await verifyPassword('cafe\u0301 at noon', hash)).toBe(true)
    expect(await verifyPassword('cafe at noon', hash)).toBe(false)
  })

  test('does not contain the password, and differs each time', async () => {
    const hashes = [await hashPassword('correct horse'), await hashPassword('correct horse')]
    expect(hashes[0]).not.toBe(hashes[1])
    expect(hashes.join()).not.toContain('correct')
  })

  test.each([null, '', ':', 'abc', 'abc:'])('%j matches no password', async (hash) =>
    expect(await verifyPassword('', hash)).toBe(false),
  )
})
