import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import { loadEnvFiles, openAppJournal, sharedOptions } from 'waymark/plugin/node'
import { openFile } from '../page/openFile.ts'
import { type Bar, judge } from '../report/judgement.ts'
import { createReport, type Report } from '../report/report.ts'
import { nameOf, percent, reportLines } from '../report/reportLines.ts'
import { type Counts, countsName } from '../shared/series.ts'
import { writePage } from './writePage.ts'

const weekMs = 7 * 86_400_000

const { since, route, mode, json } = sharedOptions

/** Prints how page loads ended: in total, by route and by build. */
export const arrivals = defineCommand({
  details: `Prints how page loads ended, as reported by browsers: by route, worst first, and by build.
Running servers store their counts every five minutes.`,
  options: {
    since,
    route,
    build: { value: 'id', text: 'Show only this build. Takes an id or its beginning.' },
    'fail-under': {
      value: 'percent',
      parse: (text) => (/^\d{1,2}(?:\.\d+)?$|^100$/.test(text) ? Number(text) : null),
      valid: 'Write --fail-under 99.9.',
      text: 'Exit with 1 if the share of loads that arrived is below this value, overall or on any route.',
    },
    'min-loads': {
      value: 'number',
      parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
      valid: 'Write --min-loads 1000.',
      text: 'With --fail-under, ignore routes with fewer loads than this. Default: 100.',
    },
    html: { value: 'file', text: 'Write the report as an HTML page with a chart and the errors.' },
    open: { text: 'Open the HTML page. Without --html, it is a temporary file.' },
    mode,
    json,
  },
  mode: 'production',
  async run({ options, terminal }) {
    const root = path.resolve(options.folder ?? '.')
    if (!existsSync(root)) {
      terminal.fail(`There is no folder ${root}.`)
      return 2
    }
    loadEnvFiles(root, options.mode ?? 'production', process.env)
    const log = (line: string) => terminal.fail(line)
    const journal = await openAppJournal(root, { env: process.env, log })
    try {
      const sinceMs = Date.now() - (options.since ?? weekMs)
      const records = await journal.counts({ name: countsName, sinceMs })
      const counts = records.flatMap(({ data, fromMs, toMs }) =>
        readCounts(data).map((each) => ({ ...each, fromMs, toMs })),
      )
      const report = createReport(counts, options)
      const { json, html, open } = options
      const isPage = html !== undefined || open === true
      if (json) terminal.printJson(report)
      else if (!isPage) for (const line of reportLines(report)) terminal.print(line)
      if (isPage) {
        const file = path.resolve(html ?? temporaryFile())
        await writePage(file, { root, journal, report, counts, options })
        if (!json) terminal.print(`The report is in ${file}`)
        if (open) openFile(file)
      }
      const failUnder = options['fail-under']
      if (failUnder === undefined) return 0
      return failOf(report, { failUnder, minLoads: options['min-loads'] ?? 100 }, terminal)
    } finally {
      await journal.close()
    }
  },
})

/** Creates a path in a private folder, because the report contains the app's error messages. */
const temporaryFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'waymark-')), 'arrivals.html')

function readCounts(data: unknown): Counts[] {
  // Check only the shape of the data, because only the app's own servers write to its journal.
  const { series, vitals, documents, refused } = Object(data) as Counts
  const isCounts = [series, vitals, documents].every(Array.isArray) && typeof refused === 'number'
  return isCounts ? [{ series, vitals, documents, refused }] : []
}

/** Prints which shares are too low. @returns the exit code */
function failOf(report: Report, bar: Bar, terminal: CommandInput['terminal']): number {
  const judgement = judge(report, bar)
  switch (judgement.verdict) {
    case 'passed':
      return 0
    case 'too few loads':
      terminal.fail(
        `Not enough loads were counted: ${report.all.loads} of the required ${Math.max(1, bar.minLoads)}.`,
        'Wait for more loads, or lower --min-loads.',
      )
      return 1
    case 'short': {
      const named = judgement.routes.map((summary) => [nameOf(summary.route), summary] as const)
      const short = named.length > 0 ? named : [['all routes', report.all] as const]
      for (const [name, summary] of short) {
        terminal.fail(`${name}: ${percent(summary)} of ${summary.loads} loads arrived.`)
      }
      terminal.fail(`--fail-under is ${bar.failUnder} %.`)
      return 1
    }
  }
}
