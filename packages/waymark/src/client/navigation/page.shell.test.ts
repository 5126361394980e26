import { expect, test } from 'vitest'
import type { Payload } from '../../wire/payload.ts'
import { type Page, shellPage } from './page.ts'

const route = { pathname: '/new', search: '', params: {} }
const entry = { key: '', version: 0, fetchedAtMs: 9 }

const mounted: Page = {
  tree: {
    key: 'root',
    slots: {
      children: { key: 'old' },
      side: { key: 'side', slots: { children: { key: 'note' } } },
    },
  },
  route: { ...route, pathname: '/old' },
  head: 'the old head',
  segments: { root: 'mounted root', old: 'old page', side: 'mounted side', note: 'mounted note' },
  instances: { root: 'root', old: 'old', side: 'side', note: 'note' },
  key: 'k',
  version: 0,
  fetchedAtMs: 1,
  from: '/old',
}

function payload(tree: Payload['tree'], segments: Payload['segments']): Payload {
  return { tree, route, head: [], segments, isShell: true }
}

const inLayout = {
  key: 'root',
  slots: {
    children: { key: 'layout', slots: { children: { key: 'new' } } },
    side: { key: 'side' },
  },
}

test('mounted segments stay, new ones are added, and missing ones are pending', () => {
  const shell = shellPage(payload(inLayout, { root: 'older', layout: 'came' }), mounted, entry)
  expect(shell).toMatchObject({
    isShell: true,
    head: 'the old head',
    route: { pathname: '/new' },
    segments: { root: 'mounted root', layout: 'came', side: 'mounted side', note: 'mounted note' },
    instances: { root: 'root', layout: 'layout 9', new: 'new 9', note: 'note' },
  })
  expect(shell?.segments.new).toBeInstanceOf(Promise)
})

test('a slot without content in the shell keeps its mounted segments', () => {
  const shell = shellPage(payload(inLayout, { layout: 'came' }), mounted, entry)
  expect(shell?.tree.slots?.side).toEqual(mounted.tree.slots?.side)
})

test('a shell is unusable if a layout is missing', () => {
  expect(shellPage(payload(inLayout, {}), mounted, entry)).toBeNull()
})

test('a shell does not replace its own mounted page', () => {
  const same = { key: 'root', slots: { children: { key: 'old' } } }
  expect(shellPage(payload(same, {}), mounted, entry)).toBeNull()
})
