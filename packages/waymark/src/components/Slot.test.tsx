import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Payload, PayloadSegment } from '../wire/payload.ts'
import { PagesContext } from './routerContext.ts'
import { PageRoot, Slot } from './Slot.tsx'

const layout = (
  <>
    <Slot name="children" />
    <Slot name="side" />
  </>
)

function pageOf(
  slots: Record<string, PayloadSegment>,
  segments: Record<string, ReactNode>,
): Payload {
  return {
    tree: { key: '', slots },
    route: { pathname: '/', search: '', params: {} },
    head: null,
    segments: { '': layout, ...segments },
  }
}

const first = pageOf({ children: { key: '/a#page' } }, { '/a#page': 'A' })
const second = pageOf(
  { children: { key: '/b#page' }, side: { key: '/@side#page' } },
  { '/b#page': 'B', '/@side#page': ' beside it' },
)

test('a layout shows the content of the page in each slot', () => {
  expect(renderToStaticMarkup(<PageRoot page={first} />)).toBe('A')
  expect(renderToStaticMarkup(<PageRoot page={second} />)).toBe('B beside it')
})

test('a shared layout shows the current page and hides the previous one', () => {
  const html = renderToStaticMarkup(
    <PagesContext value={[second, first]}>
      <PageRoot page={first} />
    </PagesContext>,
  )
  expect(html).toBe('B beside it')
})

test('a layout shows nothing of a page that has a new instance of this layout', () => {
  const instances = { '': 'another' }
  const html = renderToStaticMarkup(
    <PagesContext value={[{ ...second, instances } as Payload, first]}>
      <PageRoot page={first} />
    </PagesContext>,
  )
  expect(html).toBe('A')
})
