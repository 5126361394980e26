import { expect, test } from 'vitest'
import { type BootOutput, listBootFiles } from './clientScripts.ts'

function chunk(
  fileName: string,
  rest: Partial<Extract<BootOutput, { type: 'chunk' }>> = {},
): BootOutput {
  const none = { isEntry: false, moduleIds: [], imports: [] }
  return { type: 'chunk', fileName, name: fileName, ...none, ...rest }
}

test('every page loads the entry and its imports, an interactive one the app beside', () => {
  const bundle = {
    'index.js': chunk('index.js', { name: 'index', isEntry: true, imports: ['theme.js'] }),
    'theme.js': chunk('theme.js'),
    'start.js': chunk('start.js', {
      moduleIds: ['/react.js', '/waymark/dist/client/startReact.js'],
      imports: ['react.js', 'index.js'],
    }),
    'react.js': chunk('react.js', { imports: ['gone.js'] }),
    'notice.js': chunk('notice.js', { moduleIds: ['/waymark/dist/client/notice.js'] }),
    'style.css': { type: 'asset' as const },
  }
  expect(listBootFiles(bundle)).toEqual({
    entry: ['index.js', 'theme.js'],
    app: ['start.js', 'react.js'],
  })
})

test('without an entry there are none', () => {
  expect(listBootFiles({ 'a.js': chunk('a.js') })).toEqual({ entry: [], app: [] })
})
