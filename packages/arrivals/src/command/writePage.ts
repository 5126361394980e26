import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createDescribe, detailLines, type openAppJournal } from 'waymark/plugin/node'
import { type ErrorText, reportPage } from '../page/reportPage.ts'
import { createTimeline } from '../page/timeline.ts'
import type { CountedAt, Report } from '../report/report.ts'

type Journal = Awaited<ReturnType<typeof openAppJournal>>

export type PageSources = {
  /** Root folder of the app. */
  readonly root: string
  readonly journal: Journal
  readonly report: Report
  readonly counts: readonly CountedAt[]
  readonly options: { readonly route?: string; readonly build?: string }
}

const maxErrors = 50

/** Writes the report as an HTML page, with details about the errors from the journal. */
export async function writePage(file: string, sources: PageSources): Promise<void> {
  const { root, journal, report, counts, options } = sources
  const { route, build } = options
  const text = reportPage({
    name: await nameOfApp(root),
    report,
    timeline: createTimeline(counts, { builds: report.builds, route }),
    errors: await readErrors(root, journal, report),
    selection: [
      ...(route === undefined ? [] : [`--route ${route}`]),
      ...(build === undefined ? [] : [`--build ${build}`]),
    ],
    nowMs: Date.now(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function readErrors(root: string, journal: Journal, report: Report): Promise<ErrorText[]> {
  const digests = new Set([report.all, ...report.routes].flatMap((summary) => summary.digests))
  const describe = createDescribe(root)
  const plain = (text: string) => text
  const style = { root, paint: { dim: plain, red: plain }, age: '' }
  const errors: ErrorText[] = []
  for (const digest of [...digests].slice(0, maxErrors)) {
    const occurrence = await journal.find(digest)
    const entry = occurrence?.kind === 'alike' ? occurrence.example : occurrence?.entry
    errors.push({ digest, lines: entry ? detailLines(await describe(entry), style) : null })
  }
  return errors
}

/** Reads the name from the app's package.json. Falls back to the name of its folder. */
async function nameOfApp(root: string): Promise<string> {
  try {
    const { name } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    if (typeof name === 'string' && name !== '') return name
  } catch {
    // Use the folder's name if the app has no package.json.
  }
  return path.basename(root)
}
