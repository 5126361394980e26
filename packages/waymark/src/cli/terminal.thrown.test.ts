import { expect, test } from 'vitest'
import { formatThrown } from './terminal.ts'

const plain = (text: string) => text

test('of an error that knows its place, the place is told instead of a stack', () => {
  const error = Object.assign(new Error('Unexpected token'), {
    id: '/app/page.tsx',
    loc: { file: '/app/page.tsx', line: 3, column: 7 },
    frame: '3 | return <',
  })
  expect(formatThrown(error, plain)).toBe('Unexpected token\n  /app/page.tsx:3:7\n3 | return <')
})

test('of several errors each is told, without stacks', () => {
  const errors = [new Error('one'), Object.assign(new Error('two'), { id: '/b.ts' })]
  const error = Object.assign(new Error('Build failed with 2 errors'), { errors })
  expect(formatThrown(error, plain)).toBe('one\n\ntwo\n  /b.ts')
})

test('of a bug the stack is told', () => {
  expect(formatThrown(new Error('oh'), plain)).toMatch(/^Error: oh\n {4}at /)
  expect(formatThrown('a string', plain)).toBe('a string')
})
