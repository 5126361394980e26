import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { deletedFilesPlugin } from './fileChanges.ts'

test('checks the importers of a deleted file, but no importer that was deleted with it', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'page.tsx'), '')
  const present = { file: join(folder, 'page.tsx'), importers: [] }
  const virtual = { file: '\0virtual:waymark/routes', importers: [] }
  const deleted = { file: join(folder, 'gone/page.tsx'), importers: [virtual] }
  const module = { file: join(folder, 'text.ts'), importers: [present, virtual, deleted] }
  expect(checkedAfterDeletion(module)).toEqual([present, virtual])
})

/** Calls the plugin as Vite does, with the few parts of Vite's objects that the plugin reads. */
function checkedAfterDeletion(module: object): unknown {
  const { hotUpdate } = deletedFilesPlugin()
  if (typeof hotUpdate !== 'object') throw new Error('The plugin has no hook')
  const environment = { name: 'rsc', moduleGraph: { invalidateModule() {} } }
  const handler = hotUpdate.handler as unknown as (this: object, options: object) => unknown
  return handler.call({ environment }, { type: 'delete', modules: [module] })
}
