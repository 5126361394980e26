import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { StandardSchema } from '../routing/searchParams.ts'
import { RenderContext } from './routerContext.ts'
import { useSearchParams } from './useSearchParams.ts'

function schemaOf(validate: (value: unknown) => unknown): StandardSchema {
  return { '~standard': { version: 1, vendor: 'test', validate } } as StandardSchema
}

function Rendered({ read }: { read: () => unknown }): ReactNode {
  return String(read())
}

function show(read: () => unknown): string {
  const route = { pathname: '/', search: '?page=2', params: {} }
  const page = { tree: { key: '' }, route, head: null, segments: {} }
  return renderToStaticMarkup(
    <RenderContext value={{ page, segment: null }}>
      <Rendered read={read} />
    </RenderContext>,
  )
}

const numbers = schemaOf((value) => ({ value: Number((value as { page: string }).page) + 1 }))
const refusing = schemaOf(() => ({ issues: [{ message: 'no number' }] }))
const asynchronous = schemaOf(async (value) => ({ value }))

test('returns the query of the page, transformed by the schema if there is one', () => {
  expect(show(() => useSearchParams().get('page'))).toBe('2')
  expect(show(() => useSearchParams(numbers))).toBe('3')
})

test.each([
  ['a query that does not fit', refusing, 'no number'],
  ['an asynchronous schema', asynchronous, 'asynchronous'],
])('%s throws an error with the reason', (_, schema, reason) => {
  expect(() => show(() => useSearchParams(schema))).toThrow(reason)
})
