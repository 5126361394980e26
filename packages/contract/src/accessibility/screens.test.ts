import { expect, test } from 'vitest'
import type { RouteFacts, ScreenFacts } from '../build/buildFacts.ts'
import { listScreens } from './screens.ts'

const page = (pattern: string, screens: readonly ScreenFacts[]): RouteFacts => ({
  pattern,
  kind: 'page',
  file: `app${pattern}/page.tsx`,
  layouts: [],
  screens,
  exports: [],
  pathnames: [],
})
const screen = (role: ScreenFacts['role'], pattern: string, file: string) => ({
  role,
  pattern,
  file,
})

test('a screen is listed once, with the pages for which it is the nearest', () => {
  const root = screen('error', '/', 'app/error.tsx')
  const ofBoard = screen('error', '/board', 'app/board/error.tsx')
  const pages = [page('/', [root]), page('/help', [root]), page('/board', [root, ofBoard])]
  const screens = listScreens({ routes: pages })
  expect(screens.map(({ name, pages }) => [name, pages.map(({ pattern }) => pattern)])).toEqual([
    ['error /', ['/', '/help']],
    ['error /board', ['/board']],
  ])
})

test('groups tell screens of the same pattern apart', () => {
  const root = screen('loading', '/', 'app/loading.tsx')
  const inGroup = screen('loading', '/', 'app/(shop)/loading.tsx')
  const screens = listScreens({ routes: [page('/', [root, inGroup])] })
  expect(screens.map(({ name, pages }) => [name, pages.length])).toEqual([
    ['loading / in no group', 0],
    ['loading / in (shop)', 1],
  ])
})
