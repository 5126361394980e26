import { expect, test } from 'vitest'
import { metadataSourceOf } from './resolve.ts'

test('a source has the exports that describe the document', () => {
  const metadata = { title: 'A' }
  const module = { default: () => null, metadata, dynamic: 'auto' }
  expect(metadataSourceOf({ file: 'a/page.tsx', module })).toEqual({ folder: 'a', metadata })
})

test('two exports with the same purpose are an error', () => {
  const module = { metadata: {}, generateMetadata: () => ({}) }
  expect(() => metadataSourceOf({ file: 'a/page.tsx', module })).toThrow(
    /a\/page\.tsx exports both metadata and generateMetadata/,
  )
})

test('an export of a client file is an error', () => {
  const viewport = Object.assign(() => {}, { $$typeof: Symbol.for('react.client.reference') })
  expect(() => metadataSourceOf({ file: 'a/page.tsx', module: { viewport } })).toThrow(
    /a\/page\.tsx exports viewport, but 'use client'/,
  )
})
