import { describe, expect, test } from 'vitest'
import { createByteChannel } from '../../http/stream.ts'
import { createTaintCheck, taintObject, taintValue } from './taint.ts'

describe('a marked value', () => {
  taintValue('keep the key', 'sk_live_"quoted"')
  taintValue('keep the number', 12345678901n)
  taintValue('keep the bytes', new Uint8Array([1, 2, 3, 4, 5, 6, 7, 255]))

  test.each([
    ['1:T10,sk_live_"quoted"', 'keep the key'],
    ['0:{"a":"x sk_live_\\"quoted\\" y"}\n', 'keep the key'],
    ['0:"$n12345678901"\n', 'keep the number'],
    [Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 255, 0]), 'keep the bytes'],
  ])('is found in %j', (piece, message) => {
    expect(createTaintCheck()(piece)?.message).toBe(message)
  })

  test('is found across two pieces', () => {
    const check = createTaintCheck()
    expect(check('0:"sk_live_')).toBeNull()
    expect(check(Buffer.from('\\"quoted\\""\n'))?.message).toBe('keep the key')
  })

  test('may be protected for the life of an object', () => {
    const user = {}
    taintValue('not yours', 'token-of-a-user', user)
    expect(createTaintCheck()('0:"token-of-a-user"')?.message).toBe('not yours')
  })

  test('never passes a channel, and neither does anything after it', () => {
    const channel = createByteChannel(createTaintCheck())
    let failed: unknown = null
    channel.listen({ piece() {}, end() {}, fail: (error) => (failed = error) })
    for (const piece of ['0:"a"\n', '1:T10,sk_live_"quoted"', '2:"b"\n']) {
      channel.destination.write(piece)
    }
    channel.destination.end()
    expect(channel.pieces).toEqual(['0:"a"\n'])
    expect(failed).toMatchObject({ message: 'keep the key' })
  })

  test.each(['short', 1234567n, new Uint8Array(7)])('can not be as short as %s', (value) => {
    expect(() => taintValue('x', value)).toThrow('TAINT_VALUE')
  })
})

describe('a marked object', () => {
  test('says so to who asks for its kind, and is itself to everybody else', () => {
    const user = { name: 'Ada', hash: 'x' }
    taintObject('pass on the name', user)
    expect(() => (user as { $$typeof?: unknown }).$$typeof).toThrow('pass on the name')
    expect(JSON.stringify(user)).toBe('{"name":"Ada","hash":"x"}')
    expect({ ...user }).toEqual({ name: 'Ada', hash: 'x' })
    expect(Object.keys(user)).toEqual(['name', 'hash'])
    expect(() => taintObject('twice', user)).not.toThrow()
  })

  test('can not be a frozen one', () => {
    expect(() => taintObject('x', Object.freeze({}))).toThrow('TAINT_VALUE')
  })
})
