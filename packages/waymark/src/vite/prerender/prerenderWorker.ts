import { pathToFileURL } from 'node:url'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import type { PrerenderJob, PrerenderMessage } from './prerenderApp.ts'
import { createBodyWriter, reasonOf, renderAll } from './renderAll.ts'

/** The app's code runs in this process: what it leaves open, and crashes, stay in it. */
async function work({ entry, folder, folderName, concurrency }: PrerenderJob): Promise<void> {
  const app: { readonly prerenderer: Prerenderer; readonly basePath: string } = await import(
    pathToFileURL(entry).href
  )
  const bodies = createBodyWriter(folder, folderName)
  const { prerenderer, basePath } = app
  report(await renderAll({ prerenderer, basePath, bodies, concurrency, report }))
}

function report(message: PrerenderMessage): void {
  process.send?.(message)
}

process.once('message', (job: PrerenderJob) => {
  work(job).catch((thrown: unknown) => {
    report({ kind: 'broken', ...reasonOf(thrown) })
  })
})

// The build was stopped.
process.once('disconnect', () => process.exit())
