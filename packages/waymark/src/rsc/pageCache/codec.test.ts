import { expect, test } from 'vitest'
import { decodeShell, encodeShell } from './codec.ts'

const shell = {
  html: '<!DOCTYPE html><p>größer',
  nonce: 'n',
  payload: Buffer.from('0:"größer"\n'),
  holes: [['segments', '/', { key: 'a' }, 1, 'children']],
  postponed: '{"a":1}',
}

test('a shell is decoded as it was encoded', () => {
  expect(decodeShell(Buffer.from(encodeShell(shell)))).toEqual(shell)
})

test('a truncated or changed shell is not decoded', () => {
  const bytes = Buffer.from(encodeShell(shell))
  expect(decodeShell(bytes.subarray(0, bytes.length - 1))).toBeNull()
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(decodeShell(bytes)).toBeNull()
  expect(decodeShell(Buffer.alloc(0))).toBeNull()
})
