import { pathToFileURL } from 'node:url'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import type { PrerenderJob, WorkerMessage } from './messages.ts'
import { createBodyWriter, renderAll } from './renderAll.ts'

/**
 * The program of the process that renders pages ahead. The app's own code runs here and not in
 * the process that bundles: what it leaves open or brings down is its own.
 */
async function work({ entry, folder, folderName, concurrency }: PrerenderJob): Promise<void> {
  const app: { prerenderer: Prerenderer } = await import(pathToFileURL(entry).href)
  const bodies = createBodyWriter(folder, folderName)
  tell(await renderAll({ prerenderer: app.prerenderer, bodies, concurrency, tell }))
}

function tell(message: WorkerMessage): void {
  process.send?.(message)
}

process.once('message', (job: PrerenderJob) => {
  work(job).catch((thrown: unknown) => {
    const isError = thrown instanceof Error
    const message = isError ? thrown.message : String(thrown)
    tell({ kind: 'broken', message, stack: (isError && thrown.stack) || null })
  })
})
