import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { reuseResult } from './pretransformed.ts'

test('a module keeps its result after edits of an imported file, but not after its own', async () => {
  const { environment, entry, changed } = await transformEntry()
  const first = entry.transformResult
  for (const edit of [1, 2]) {
    environment.moduleGraph.onFileChange(changed)
    expect(entry.transformResult, `edit ${edit}`).toBeNull()
    expect(reuseResult(environment, entry), `edit ${edit}`).toBe(first)
    expect(entry.transformResult, `edit ${edit}`).toBe(first)
  }
  environment.moduleGraph.onFileChange(entry.file ?? '')
  expect(reuseResult(environment, entry)).toBeNull()
})

/** Transforms `entry.js`, which imports `changed.js`. */
async function transformEntry() {
  const root = temporaryFolder()
  const changed = path.join(root, 'changed.js')
  writeFileSync(changed, 'export const greeting = 1')
  writeFileSync(path.join(root, 'entry.js'), "export * from './changed.js'")
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => server.close())
  const environment = server.environments.ssr
  await environment.transformRequest('/changed.js')
  await environment.transformRequest('/entry.js')
  const entry = await environment.moduleGraph.getModuleByUrl('/entry.js')
  if (!entry) throw new Error('The entry is not in the module graph.')
  return { environment, entry, changed }
}
