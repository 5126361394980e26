import { expect, test } from 'vitest'
import { createClientNeeds } from './clientNeeds.ts'
import type { LoadedRouteFile } from './routeModules.ts'

function routeFile(file: string, clientFiles: string[], mayNeedReact = clientFiles.length > 0) {
  const loaded: LoadedRouteFile = {
    file,
    module: {},
    styles: null,
    stylesheets: [],
    clientFiles,
    mayNeedReact,
  }
  return loaded
}

test.each<[string, LoadedRouteFile[], boolean]>([
  [
    'a page without client components',
    [routeFile('layout.tsx', []), routeFile('page.tsx', [])],
    false,
  ],
  [
    'a layout with a client component',
    [routeFile('layout.tsx', ['a']), routeFile('page.tsx', [])],
    true,
  ],
  ['a form with a server action', [routeFile('page.tsx', [], true)], true],
  [
    'an error screen, which is shown only if a part fails',
    [routeFile('blog/error.tsx', ['e'])],
    false,
  ],
  ['an error screen of the whole app', [routeFile('global-error.jsx', ['e'])], false],
  ['a page in a folder named error', [routeFile('error/page.tsx', ['a'])], true],
])('%s', (_, files, expected) => {
  const needs = createClientNeeds()
  needs.addFiles(files)
  expect(needs.needsReact()).toBe(expected)
  const keys = files.flatMap(({ clientFiles }) => clientFiles)
  expect([...needs.clientFiles]).toEqual(expect.arrayContaining(keys))
})

test('rendering a client file that is not in the module graph needs React', () => {
  const needs = createClientNeeds()
  needs.addRenderedFile('registered')
  needs.addRenderedFile('error-screen')
  needs.addFiles([routeFile('error.tsx', ['error-screen']), routeFile('page.tsx', [])])
  expect(needs.needsReact()).toBe(true)
  expect([...needs.clientFiles]).toContain('registered')
})

test('rendering a client file of the module graph changes nothing', () => {
  const needs = createClientNeeds()
  // Add the file first, because the payload of a partial page begins before the page's route files are loaded.
  needs.addRenderedFile('error-screen')
  needs.addFiles([routeFile('error.tsx', ['error-screen']), routeFile('page.tsx', [])])
  needs.addRenderedFile('error-screen')
  expect(needs.needsReact()).toBe(false)
})

test('a page can ask for React while it renders', () => {
  const needs = createClientNeeds()
  needs.addFiles([routeFile('page.tsx', [])])
  expect(needs.needsReact()).toBe(false)
  needs.requireReact()
  expect(needs.needsReact()).toBe(true)
})
