import { describe, expect, test } from 'vitest'
import { isSecretName, looksSecret, withoutSecrets } from './secrets.ts'

describe('names', () => {
  test.each([
    'token',
    'access_token',
    'accessToken',
    'X-CSRF',
    'user[password]',
    'passwd',
    'PWD',
    'client_secret',
    'apiKey',
    'api-key',
    'code',
    'sessionId',
    'sid',
    'auth',
    'oauth_state',
    'email',
    'e-mail',
    'mail',
    'otp',
    'pin',
    'cardNumber',
    'cvc',
    'iban',
    'phone',
    'signature',
    'jwt',
    'credentials',
    'nonce',
    'pass%77ord',
    'ＰＡＳＳＷＯＲＤ',
    'CVCNumber',
    'PINCode',
    'IBANText',
    'OTPValue',
    'userPINText',
    'userOTPs',
    'CVCnumber',
    'pins',
    'cookies',
    'cardnumber',
    'phonenumber',
    'creditcard',
    'pincode',
    'OTP2',
    'PIN_1',
  ])('%s is secret', (name) => expect(isSecretName(name)).toBe(true))

  test.each([
    'q',
    'page',
    'sort',
    'slug',
    'color',
    'country',
    'barcodes',
    'monkey',
    'keyboard',
    'amount',
    'compass',
    'author',
    'encoding',
    'spinner',
    'discard',
    'SPINNERText',
    'HTMLText',
    'URLs',
  ])('%s is not secret', (name) => expect(isSecretName(name)).toBe(false))
})

describe('values', () => {
  test.each([
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['a JWT in a text', 'is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln mine'],
    ['a card number', '4242424242424242'],
    ['a card number in groups', '4242 4242-4242 4242'],
    ['32 hex digits', '9f86d081884c7d659a2feaa0c55ad015'],
    ['a UUID', 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'],
    ['base64url', 'pZk3-Qx_9vLw7Tb2Rn5Yc8'],
    ['base64', 'pZk3+Qx/9vLw7Tb2Rn5Yc8=='],
    ['many letters without a word', 'qmzkxvjwpbtyhgfdsrcnlqaeioumzkxv'],
    ['an email address', 'ada@example.com'],
    ['a URL with a token in its query', '/reset?token=abc'],
    ['JSON with a password', '{"password":"x"}'],
    ['an address that is encoded twice', encodeURIComponent('ada@example.com')],
    ['a key with a known prefix', 'sk_live_abc123'],
    ['a broken escape', '%E0%A4%A'],
    [
      'a random part of a long path',
      '/teams/some-long-name/invitations/accept/once/pZk3Qx9vLw7Tb2Rn5Yc8',
    ],
    ['a random end of long words', `invitation-to-${'some-words-'.repeat(9)}pZk3Qx9vLw7Tb2Rn5Yc8`],
  ])('%s looks secret', (_name, value) => expect(looksSecret(value)).toBe(true))

  test.each([
    'oak',
    'summer-sale-2026-collection',
    'a sentence of several plain words, with commas',
    '2026-11-26T18:00:00.000Z',
    '42',
    '1024',
    'Internationalization',
    'en-US,en;q=0.9',
    '',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    '/en/products/Oak-Table-XL-2026/reviews',
    '/blog/the-long-name-of-a-post/comments/2',
  ])('%s does not look secret', (value) => expect(looksSecret(value)).toBe(false))

  test('a long text is judged quickly', () => {
    const beganMs = performance.now()
    for (const piece of ['a', '1-', 'aA1', '4 ', '{"', '%25', 'ey.']) {
      looksSecret(piece.repeat(400_000))
    }
    expect(performance.now() - beganMs).toBeLessThan(500)
  })
})

describe('data', () => {
  test('loses secret values, and names them', () => {
    const removed: string[] = []
    const data = { name: 'oak', password: 'x', deep: [{ apiKey: { a: 1 } }, 'ada@example.com'] }
    expect(withoutSecrets(data, 'argument 0', removed)).toEqual({
      name: 'oak',
      password: 'removed',
      deep: [{ apiKey: 'removed' }, 'removed'],
    })
    expect(removed).toEqual([
      'argument 0.password',
      'argument 0.deep.0.apiKey',
      'argument 0.deep.1',
    ])
  })

  test('loses names that look secret, even in the list of removed values', () => {
    const removed: string[] = []
    const data = { 'ada@example.com': 1, deep: { 'token-pZk3Qx9vLw7Tb2Rn5Yc8': { b: 1 } }, c: 1 }
    expect(withoutSecrets(data, 'argument 0', removed)).toEqual({ deep: {}, c: 1 })
    expect(removed).toEqual(['a name in argument 0', 'a name in argument 0.deep'])
  })

  test('has no prototype that a name could change', () => {
    const sent = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":"x"}')
    const stored = withoutSecrets(sent, 'argument 0', []) as object
    expect(Object.getPrototypeOf(stored)).toBe(Object.prototype)
    expect(JSON.stringify(stored)).toBe('{"__proto__":{"isAdmin":true},"constructor":"x"}')
    expect(({} as { isAdmin?: true }).isAdmin).toBeUndefined()
  })

  test('is refused if it is not plain data', () => {
    class Basket {}
    const circle: unknown[] = []
    circle.push(circle)
    for (const value of [new Basket(), new Map(), () => {}, 1n, Number.NaN, circle, Symbol('a')]) {
      expect(() => withoutSecrets(value, 'argument 0', [])).toThrow()
    }
  })
})
