import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { listDependents } from './dependents.ts'
import { searchApp } from './findPackages.ts'

const findDependents = async (root: string) =>
  listDependents((await searchApp(root)).imported, root)

const manifest = (peerDependencies: object) => JSON.stringify({ peerDependencies })

test('packages that an app imports are found by their peer dependency', async () => {
  const root = temporaryFolder({
    'app/page.tsx': `import { a } from '@scope/sockets/server'
import { b } from 'plain'
import { c } from 'absent'
import { useState } from 'react'
`,
    'app/api/route.ts': `export { GET } from 'flags'`,
    'node_modules/@scope/sockets/package.json': manifest({ waymark: '0.1.0' }),
    'node_modules/plain/package.json': manifest({ react: '^19.2.0' }),
    'node_modules/flags/package.json': manifest({ react: '^19.2.0', waymark: '^0.1.0' }),
    'node_modules/unused/package.json': manifest({ waymark: '^0.1.0' }),
  })
  expect(await findDependents(root)).toEqual(['@scope/sockets', 'flags'])
})

test('an unreadable manifest is ignored', async () => {
  const root = temporaryFolder({
    'page.tsx': `import a from 'broken'`,
    'node_modules/broken/package.json': '{',
  })
  expect(await findDependents(root)).toEqual([])
})
