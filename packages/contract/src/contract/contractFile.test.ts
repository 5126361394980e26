import { expect, test } from 'vitest'
import { type Contract, formatContract, parseContract } from './contractFile.ts'

const contract: Contract = {
  personas: ['anonymous', 'admin'],
  entries: [
    {
      kind: 'page',
      name: '/admin',
      properties: { 'access anonymous': '401', 'access admin': '200', layouts: '/, /admin' },
    },
    { kind: 'action', name: 'save', properties: { 'access everyone (from /b)': 'may call' } },
    { kind: 'action', name: 'save', properties: { 'access everyone (from /a)': 'may call' } },
    { kind: 'not proven', name: '', properties: { 'page /x/[id]': 'no path: add one' } },
  ],
}

test('a contract is read as it was written', () => {
  const text = formatContract(contract)
  const read = parseContract(text)
  expect(formatContract(read)).toBe(text)
  expect(read.personas).toEqual(contract.personas)
  expect(read.entries).toHaveLength(4)
  expect(read.entries.find(({ kind }) => kind === 'not proven')?.properties).toEqual({
    'page /x/[id]': 'no path: add one',
  })
})

test('entries and properties are sorted, whatever their order was', () => {
  const reversed = { ...contract, entries: [...contract.entries].reverse() }
  expect(formatContract(reversed)).toBe(formatContract(contract))
  expect(
    formatContract(contract)
      .split('\n')
      .filter((line) => /^\w/.test(line)),
  ).toEqual([
    'personas: anonymous, admin',
    'action save',
    'action save',
    'not proven',
    'page /admin',
  ])
})

test('a value with a line break stays on its line', () => {
  const entries = [{ kind: 'page' as const, name: '/a', properties: { cache: 'a\r\npage /b' } }]
  expect(parseContract(formatContract({ personas: [], entries })).entries).toEqual([
    { kind: 'page', name: '/a', properties: { cache: 'a page /b' } },
  ])
})

test('CRLF and comments are read', () => {
  const text = formatContract(contract).replaceAll('\n', '\r\n')
  expect(parseContract(text)).toEqual(parseContract(formatContract(contract)))
})

test.each([
  ['<<<<<<< HEAD', 'Line 1'],
  ['page /a\n  access everyone 200', 'Line 2'],
  ['  access everyone: 200', 'Line 1'],
  ['pages /a', 'Line 1'],
])('%j is refused with the number of the line', (text, line) => {
  expect(() => parseContract(text)).toThrow(line)
})
