import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FSWatcher } from 'vite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { deletedFilesPlugin, watchFilesOnce } from './fileChanges.ts'

test('watches a file once, and again after it was deleted or unwatched', () => {
  const { watcher, added } = createWatcher()
  watchFilesOnce(watcher)
  const add = (file: string) => {
    added.length = 0
    watcher.add(file)
    return added.length === 1
  }
  expect([add('/shared/text.ts'), add('/shared/text.ts')]).toEqual([true, false])
  watcher.emit('unlink', '/shared/text.ts')
  expect([add('/shared/text.ts'), add('/shared/text.ts')]).toEqual([true, false])
  watcher.unwatch(['/shared/text.ts'])
  expect([add('/shared/text.ts'), add('/shared/text.ts')]).toEqual([true, false])
})

test('checks the importers of a deleted file, but no importer that was deleted with it', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'page.tsx'), '')
  const present = { file: join(folder, 'page.tsx'), importers: [] }
  const virtual = { file: '\0virtual:waymark/routes', importers: [] }
  const deleted = { file: join(folder, 'gone/page.tsx'), importers: [virtual] }
  const module = { file: join(folder, 'text.ts'), importers: [present, virtual, deleted] }
  expect(checkedAfterDeletion(module)).toEqual([present, virtual])
})

/** Creates the parts of Vite's watcher that the function uses. */
function createWatcher() {
  const added: unknown[] = []
  const methods = {
    add(paths: unknown) {
      added.push(paths)
      return this
    },
    unwatch() {
      return this
    },
  }
  return { watcher: Object.assign(new EventEmitter(), methods) as unknown as FSWatcher, added }
}

/** Calls the plugin as Vite does, with the few parts of Vite's objects that the plugin reads. */
function checkedAfterDeletion(module: object): unknown {
  const { hotUpdate } = deletedFilesPlugin()
  if (typeof hotUpdate !== 'object') throw new Error('The plugin has no hook')
  const environment = { name: 'rsc', moduleGraph: { invalidateModule() {} } }
  const handler = hotUpdate.handler as unknown as (this: object, options: object) => unknown
  return handler.call({ environment }, { type: 'delete', modules: [module] })
}
