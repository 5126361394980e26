import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type Endpoint, withoutWorker } from './endpoint.ts'

/** Runs the worker that removes itself. @returns the names of what it deletes */
async function removedBy(pathname: string, names: readonly string[]): Promise<string[]> {
  const response = await withoutWorker.handle({} as Parameters<Endpoint['handle']>[0])
  const removed: string[] = []
  const remove = async (name: string) => void removed.push(name)
  let removing: Promise<unknown> | undefined
  const event = { waitUntil: (work: Promise<unknown>) => (removing = work) }
  runInNewContext(String(response?.body), {
    ...{ location: { pathname }, skipWaiting() {}, registration: { unregister: async () => true } },
    caches: { keys: async () => names, delete: remove },
    indexedDB: { deleteDatabase: remove },
    addEventListener: (type: string, run: (given: typeof event) => void) =>
      type === 'activate' && run(event),
  })
  await removing
  return removed
}

test('the worker that removes itself leaves what other apps of its origin have stored', async () => {
  const names = ['waymark-offline/b', 'waymark-offline%2Fdocs/b', 'waymark-offline%2Fdocs%2Fv1/b']
  const [root, docs, inner] = names
  expect(await removedBy('/_waymark/offline.js', names)).toEqual([root, 'waymark-offline'])
  expect(await removedBy('/docs/_waymark/offline.js', names)).toEqual([
    docs,
    'waymark-offline%2Fdocs',
  ])
  expect(await removedBy('/docs/v1/_waymark/offline.js', names)).toEqual([
    inner,
    'waymark-offline%2Fdocs%2Fv1',
  ])
})
