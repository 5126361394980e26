import { expect, test } from 'vitest'
import { type BootOutput, listBootFiles } from './bootFiles.ts'

function chunk(
  fileName: string,
  rest: Partial<Extract<BootOutput, { type: 'chunk' }>> = {},
): BootOutput {
  const none = { isEntry: false, facadeModuleId: null, imports: [], dynamicImports: [] }
  return { type: 'chunk', fileName, name: fileName, ...none, ...rest }
}

test('the scripts of every page are the entry, what it loads by itself, and what these import', () => {
  const bundle = {
    'index.js': chunk('index.js', {
      name: 'index',
      isEntry: true,
      imports: ['theme.js'],
      dynamicImports: ['start.js'],
    }),
    'theme.js': chunk('theme.js'),
    'start.js': chunk('start.js', {
      facadeModuleId: '/waymark/client/start.js',
      imports: ['react.js', 'index.js'],
      dynamicImports: ['notice.js', 'group.js'],
    }),
    'react.js': chunk('react.js', { imports: ['gone.js'] }),
    'notice.js': chunk('notice.js', { facadeModuleId: '/waymark/client/notice.js' }),
    'group.js': chunk('group.js', {
      facadeModuleId: '\0virtual:vite-rsc/client-references/group/x',
    }),
    'style.css': { type: 'asset' as const },
  }
  expect(listBootFiles(bundle)).toEqual(['index.js', 'theme.js', 'start.js', 'react.js'])
})

test('without an entry there are none', () => {
  expect(listBootFiles({ 'a.js': chunk('a.js') })).toEqual([])
})
