import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagesWithDocs } from './docsFolders.ts'

const packages = join(import.meta.dirname, '../..')

test('lists every package whose build writes pages of the guide', () => {
  const manifests = readdirSync(packages).map((folder) =>
    JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')),
  )
  const writing = manifests.filter(({ scripts }) => scripts?.build?.includes('packageDocs.mjs'))
  // Look for @waymark/next under the name `next`, because apps install it under this name.
  const names = writing.map(({ name }) => (name === '@waymark/next' ? 'next' : name))
  expect(packagesWithDocs.toSorted()).toEqual(names.toSorted())
})
