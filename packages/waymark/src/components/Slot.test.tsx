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

test('a layout shows what its page has in each of its slots', () => {
  expect(renderToStaticMarkup(<PageRoot page={first} />)).toBe('A')
  expect(renderToStaticMarkup(<PageRoot page={second} />)).toBe('B beside it')
})

test('a layout that stays shows the page that is mounted now, and hides the one that was left', () => {
  const html = renderToStaticMarkup(
    <PagesContext value={[second, first]}>
      <PageRoot page={first} />
    </PagesContext>,
  )
  expect(html).toBe('B beside it')
})

test('a layout shows nothing of a page that has mounted it again', () => {
  const instances = { '': 'another' }
  const html = renderToStaticMarkup(
    <PagesContext value={[{ ...second, instances } as Payload, first]}>
      <PageRoot page={first} />
    </PagesContext>,
  )
  expect(html).toBe('A')
})
