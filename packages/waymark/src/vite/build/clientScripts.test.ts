import { expect, test } from 'vitest'
import { listFilesOf } from './clientScripts.ts'

function chunk(moduleIds: string[], imports: string[] = []) {
  return { type: 'chunk', moduleIds, imports } as const
}

test('the chunk that starts React is listed with its imports', () => {
  const bundle = {
    'index.js': chunk([], ['theme.js']),
    'theme.js': chunk([]),
    'start.js': chunk(['/react.js', '/waymark/dist/client/startReact.js'], ['react.js']),
    'react.js': chunk([], ['gone.js', 'start.js']),
    'notice.js': chunk(['/waymark/dist/client/notice.js']),
    'style.css': { type: 'asset' as const },
  }
  expect(listFilesOf(bundle, 'startReact')).toEqual(['start.js', 'react.js'])
})

test('without that chunk, the list is empty', () => {
  expect(listFilesOf({ 'a.js': chunk([]) }, 'startReact')).toEqual([])
})
