import { expect, test } from 'vitest'
import { frameworkFile, frameworkFolder } from '../config/frameworkFiles.ts'
import { reactDomPlugin } from './reactDomPlugin.ts'

type Hook = {
  filter: { id: RegExp }
  handler: (this: { resolve(id: string): string }, id: string, importer?: string) => string | null
}

function resolve(id: string, importer?: string): string | null {
  const { filter, handler } = reactDomPlugin().resolveId as unknown as Hook
  return filter.id.test(id) ? handler.call({ resolve: (file) => file }, id, importer) : null
}

test.each([
  ['a file of the app', 'react-dom', '/app/page.tsx'],
  ['a package', 'react-dom', '/app/node_modules/hints/index.js'],
  ['an alias to the folder', '/app/node_modules/react-dom', '/app/page.tsx'],
  ['an alias on Windows', 'C:\\app\\node_modules\\react-dom', 'C:\\app\\page.tsx'],
])('%s gets the guarded functions', (_, id, importer) => {
  expect(resolve(id, importer)).toBe(frameworkFile('reactDom'))
})

test.each([
  ['the guarded functions themselves', 'react-dom', `${frameworkFolder}rsc/page/reactDom.js`],
  [
    'React’s renderer',
    'react-dom',
    '/app/node_modules/@vitejs/plugin-rsc/dist/vendor/react-server-dom/cjs/server.js',
  ],
  ['a build for browsers', 'react-dom/client', '/app/page.tsx'],
  ['another package', 'not-react-dom', '/app/page.tsx'],
  ['an entry', 'react-dom', undefined],
])("%s gets React's own functions", (_, id, importer) => {
  expect(resolve(id, importer)).toBeNull()
})
