import { pathToFileURL } from 'node:url'
import type { Prerenderer } from '../../builds/cachedPage.ts'
import type { ServerStores } from '../../node/openDrivers.ts'
import type { PrerenderJob, PrerenderMessage } from './prerenderApp.ts'
import { createBodyWriter, reasonOf, renderAll } from './renderAll.ts'

type BuiltEntry = Pick<ServerStores, 'openCache' | 'openJournal'> & {
  readonly prerenderer: Prerenderer
  readonly basePath: string
}

/**
 * Renders the pages. The app's code runs in a process of its own, so that crashes and open handles
 * don't affect the build.
 */
async function work(job: PrerenderJob): Promise<void> {
  const { entry, folder, folderName, concurrency, publicFiles } = job
  const app: BuiltEntry = await import(pathToFileURL(entry).href)
  const bodies = createBodyWriter(folder, folderName)
  const { prerenderer, basePath } = app
  const hasOwnStores = app.openCache !== null && app.openJournal !== null
  report(
    await renderAll({
      prerenderer,
      basePath,
      hasOwnStores,
      bodies,
      concurrency,
      publicFiles,
      report,
    }),
  )
}

function report(message: PrerenderMessage): void {
  process.send?.(message)
}

process.once('message', (job: PrerenderJob) => {
  work(job).catch((thrown: unknown) => {
    report({ kind: 'broken', ...reasonOf(thrown) })
  })
})

// The build disconnects when it is stopped.
process.once('disconnect', () => process.exit())
